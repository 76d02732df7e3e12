import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** What the master secret is used for, without the secret ever leaving this file. */
export interface Vault {
  /** A tag that only this deployment can make for this purpose and text. */
  sign: (purpose: string, text: string) => string
  verify: (purpose: string, text: string, tag: string) => boolean
}

export function createVault(secret: string): Vault {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'atrium/sign/v1', 32))
  const sign = (purpose: string, text: string) =>
    createHmac('sha256', key).update(`${purpose}\0${text}`).digest('base64url')
  return {
    sign,
    verify(purpose, text, tag) {
      const expected = Buffer.from(sign(purpose, text))
      const given = Buffer.from(tag)
      return expected.length === given.length && timingSafeEqual(expected, given)
    },
  }
}
