import { createPublicKey, verify } from 'node:crypto'

/** Whether `signature` of `message` was made with the private key of this public key; false for a malformed key. */
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
