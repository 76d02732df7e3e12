import { USER_CODE_LETTERS } from '../../../contract/accounts/device-login.ts'
import { sha256 } from '../../security/digest.ts'
import { randomLetters, randomToken } from '../../security/random.ts'
import type { Vault } from '../../security/vault.ts'

/** One for the machine, which nobody can guess, and one for a person to read and type. */
export function newCodes() {
  const letters = () => randomLetters(4, USER_CODE_LETTERS)
  return { deviceCode: randomToken(32), userCode: `${letters()}-${letters()}` }
}

export const hashDeviceCode = (code: string): Buffer => sha256(code)

/** Keyed: all user codes can be tried against a plain hash in seconds. Case, dashes and spaces do not matter. */
export const hashUserCode = (vault: Vault, code: string): Buffer =>
  Buffer.from(vault.sign('device-user-code', code.toUpperCase().replace(/[\s-]/g, '')), 'base64url')
