import { Secret, TOTP } from 'otpauth'

const SECRET_BYTES = 20
/** In thirty-second steps either way. */
const WINDOW_STEPS = 1

/** Base32, so users can type it. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

export const totpUri = (secret: string, account: string): string =>
  new TOTP({ ...PARAMETERS, issuer: 'Atrium', label: account, secret }).toString()

/** Store the step so that a code works once. Null if invalid now. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const totp = new TOTP({ ...PARAMETERS, secret })
  const timestamp = now.getTime()
  const delta = totp.validate({ token: code, timestamp, window: WINDOW_STEPS })
  return delta === null ? null : totp.counter({ timestamp }) + delta
}

/** The only parameters every authenticator app supports. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 }
