import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** What the master secret is used for, without the secret ever leaving this file. */
export interface Vault {
  /** A tag that only this deployment can make for this purpose and text. */
  sign: (purpose: string, text: string) => string
  verify: (purpose: string, text: string, tag: string) => boolean
  /** Encrypts for storage. `place` names the row and column; the sealed text opens nowhere else. */
  seal: (place: string, text: string) => string
  open: (place: string, sealed: string) => string
}

/** A sealed text is malformed, was sealed with another secret or for another row, or was changed. */
export class UnsealError extends Error {}

const CIPHER = 'aes-256-gcm'
const VERSION = 'v1'

export function createVault(secret: string): Vault {
  const key = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', `atrium/${use}/v1`, 32))
  const signing = key('sign')
  const sealing = key('seal')
  /** Tells which secret sealed a text, should there ever be more than one. */
  const kid = createHmac('sha256', sealing).update('kid').digest('base64url').slice(0, 8)
  const sign = (purpose: string, text: string) =>
    createHmac('sha256', signing).update(`${purpose}\0${text}`).digest('base64url')

  return {
    sign,
    verify(purpose, text, tag) {
      const expected = Buffer.from(sign(purpose, text))
      const given = Buffer.from(tag)
      return expected.length === given.length && timingSafeEqual(expected, given)
    },
    seal(place, text) {
      const iv = randomBytes(12)
      const cipher = createCipheriv(CIPHER, sealing, iv).setAAD(Buffer.from(place))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return [
        VERSION,
        kid,
        ...[iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url')),
      ].join('.')
    },
    open(place, sealed) {
      const [version, sealedBy, ...parts] = sealed.split('.')
      const [iv, tag, text] = parts.map((part) => Buffer.from(part, 'base64url'))
      if (version !== VERSION || !iv || !tag || !text) throw new UnsealError('This is not a sealed text')
      if (sealedBy !== kid) throw new UnsealError('This was sealed with another ATRIUM_SECRET')
      try {
        const decipher = createDecipheriv(CIPHER, sealing, iv).setAAD(Buffer.from(place)).setAuthTag(tag)
        return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
      } catch (cause) {
        throw new UnsealError('This sealed text cannot be authenticated', { cause })
      }
    },
  }
}
