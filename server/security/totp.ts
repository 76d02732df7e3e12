import { Secret, TOTP } from 'otpauth'

const SECRET_BYTES = 20
/** Clocks may differ by one step of thirty seconds, either way. */
const STEPS_OFF = 1

/** In base32, as a person can type it into an authenticator app. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** What an authenticator app reads from a QR code. */
export const totpUri = (secret: string, account: string): string =>
  new TOTP({ ...FORM, issuer: 'Atrium', label: account, secret }).toString()

/** The time step that a code belongs to, so that its use can be remembered; null if it is none of now. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const totp = new TOTP({ ...FORM, secret })
  const timestamp = now.getTime()
  const off = totp.validate({ token: code, timestamp, window: STEPS_OFF })
  return off === null ? null : totp.counter({ timestamp }) + off
}

/** The only form that every authenticator app understands. */
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 }
