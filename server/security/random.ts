import { randomBytes, randomInt } from 'node:crypto'

export function randomToken(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}

export const randomBase64 = (bytes: number): string => randomBytes(bytes).toString('base64')

export const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex')

/** Text for people to type; each letter of the alphabet is as likely as any other. */
export const randomLetters = (length: number, alphabet: string): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
