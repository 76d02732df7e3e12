import { randomBytes, randomInt } from 'node:crypto'

export function randomToken(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}

export const randomBase64 = (bytes: number): string => randomBytes(bytes).toString('base64')

export const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex')

/** For users to type. Uniformly distributed. */
export const randomLetters = (length: number, alphabet: string): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
