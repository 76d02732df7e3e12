import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'

/** False for a malformed key. */
export function isEd25519Signature(
  publicKeyHex: string,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (!/^[0-9a-f]{64}$/i.test(publicKeyHex)) return false
  const x = Buffer.from(publicKeyHex, 'hex').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, message, key, signature)
}

/** The public key is base64 DER (SPKI). The signature is DER over SHA-256. */
export function isEcdsaP256Signature(
  publicKeyBase64: string,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKeyBase64, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' && verify('sha256', message, key, signature)
  } catch {
    return false
  }
}

export type PublicJwk = JsonWebKey & { kid?: string }

/** False for a malformed key. */
export function isRs256Signature(key: PublicJwk, text: string, signature: Uint8Array): boolean {
  try {
    return verify('RSA-SHA256', Buffer.from(text), createPublicKey({ key, format: 'jwk' }), signature)
  } catch {
    return false
  }
}
