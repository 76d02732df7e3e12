import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** Signing and encryption with the master secret, which never leaves this file. */
export interface Vault {
  /** A signature that only this deployment can create for this purpose and text. */
  sign: (purpose: string, text: string) => string
  verify: (purpose: string, text: string, signature: string) => boolean
  /** Encrypts for storage. `location` names the row and column; the text can be opened only with the same one. */
  seal: (location: string, text: string) => string
  /** Throws an UnsealError for a text that cannot be opened. */
  open: (location: string, sealed: string) => string
  /** Null for a text that cannot be opened, for example because ATRIUM_SECRET was changed. */
  tryOpen: (location: string, sealed: string) => string | null
}

/** A sealed text is malformed, was sealed with another secret or for another row, or was changed. */
export class UnsealError extends Error {}

const CIPHER = 'aes-256-gcm'
const VERSION = 'v1'

export function createVault(secret: string): Vault {
  // Key objects: given bytes, Node would create a key object for each signature, which takes four times as long.
  const deriveKey = (use: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `atrium/${use}/v1`, 32)))
  const signingKey = deriveKey('sign')
  const sealingKey = deriveKey('seal')
  /** Identifies the secret that sealed a text. */
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
