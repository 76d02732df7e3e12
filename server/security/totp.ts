import { Secret, TOTP } from 'otpauth'

const SECRET_BYTES = 20
/** Accepted clock skew, in steps of thirty seconds either way. */
const WINDOW_STEPS = 1

/** In base32, which a user can type into an authenticator app. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** The content of the QR code for an authenticator app. */
export const totpUri = (secret: string, account: string): string =>
  new TOTP({ ...PARAMETERS, issuer: 'Atrium', label: account, secret }).toString()

/** The time step of a code, which is stored so that a code works once; null if the code is not valid now. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const totp = new TOTP({ ...PARAMETERS, secret })
  const timestamp = now.getTime()
  const delta = totp.validate({ token: code, timestamp, window: WINDOW_STEPS })
  return delta === null ? null : totp.counter({ timestamp }) + delta
}

/** The only parameters that every authenticator app supports. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 }
