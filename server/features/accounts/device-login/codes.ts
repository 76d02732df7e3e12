import { USER_CODE_LETTERS } from '../../../../contract/accounts/device-login.ts'
import { sha256 } from '../../../security/digest.ts'
import { randomLetters, randomToken } from '../../../security/random.ts'
import type { Vault } from '../../../security/vault.ts'

/** The device code is unguessable; the user code is short enough to read and type. */
export function newCodes() {
  const letters = () => randomLetters(4, USER_CODE_LETTERS)
  return { deviceCode: randomToken(32), userCode: `${letters()}-${letters()}` }
}

export const hashDeviceCode = (code: string): Buffer => sha256(code)

/** An HMAC, because all user codes could be tried against a plain hash in seconds. Ignores case, dashes and spaces. */
export const hashUserCode = (vault: Vault, code: string): Buffer =>
  Buffer.from(vault.sign('device-user-code', code.toUpperCase().replace(/[\s-]/g, '')), 'base64url')
