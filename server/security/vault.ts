import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** The master secret never leaves this file. */
export interface Vault {
  /** Only this deployment can create the signature. */
  sign: (purpose: string, text: string) => string
  verify: (purpose: string, text: string, signature: string) => boolean
  /** Only the same `location` (row and column) opens the text. */
  seal: (location: string, text: string) => string
  /** Throws UnsealError. */
  open: (location: string, sealed: string) => string
  /** Null if it can't be opened, such as after ATRIUM_SECRET changed. */
  tryOpen: (location: string, sealed: string) => string | null
}

/** Malformed, tampered with, or sealed with another secret or for another row. */
export class UnsealError extends Error {}

const CIPHER = 'aes-256-gcm'
const VERSION = 'v1'

export function createVault(secret: string): Vault {
  // From bytes, Node would create a key object per signature, four times slower.
  const deriveKey = (use: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `atrium/${use}/v1`, 32)))
  const signingKey = deriveKey('sign')
  const sealingKey = deriveKey('seal')
  const keyId = createHmac('sha256', sealingKey).update('kid').digest('base64url').slice(0, 8)
  const sign = (purpose: string, text: string) =>
    createHmac('sha256', signingKey).update(`${purpose}\0${text}`).digest('base64url')

  const open = (location: string, sealed: string): string => {
    const [version, sealedBy, ...parts] = sealed.split('.')
    const [iv, tag, text] = parts.map((part) => Buffer.from(part, 'base64url'))
    if (version !== VERSION || !iv || !tag || !text) throw new UnsealError('Not a sealed text')
    if (sealedBy !== keyId) throw new UnsealError('Sealed with another ATRIUM_SECRET')
    try {
      const decipher = createDecipheriv(CIPHER, sealingKey, iv).setAAD(Buffer.from(location)).setAuthTag(tag)
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
    } catch (cause) {
      throw new UnsealError('The sealed text cannot be authenticated', { cause })
    }
  }

  return {
    sign,
    verify(purpose, text, signature) {
      const expected = Buffer.from(sign(purpose, text))
      const actual = Buffer.from(signature)
      return expected.length === actual.length && timingSafeEqual(expected, actual)
    },
    seal(location, text) {
      const iv = randomBytes(12)
      const cipher = createCipheriv(CIPHER, sealingKey, iv).setAAD(Buffer.from(location))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return [
        VERSION,
        keyId,
        ...[iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url')),
      ].join('.')
    },
    open,
    tryOpen(location, sealed) {
      try {
        return open(location, sealed)
      } catch (error) {
        if (error instanceof UnsealError) return null
        throw error
      }
    },
  }
}
