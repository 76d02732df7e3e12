import { createSign, generateKeyPairSync } from 'node:crypto'

export const GOOGLE_KEYS_PATH = '/oauth2/v3/certs'

const createKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

/** ID tokens like those Google sends with Pub/Sub push messages. */
export function createGoogleTokens() {
  const [googleKey, attackerKey] = [createKey(), createKey()]
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

  return {
    keys: { keys: [{ ...googleKey.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256' }] },
    token(
      { now, ...claims }: { now: Date; aud: string; email: string } & Record<string, unknown>,
      { isForged = false, kid = 'k1', alg = 'RS256' } = {},
    ) {
      const seconds = now.getTime() / 1000
      const payload = {
        iss: 'https://accounts.google.com',
        email_verified: true,
        iat: seconds - 10,
        exp: seconds + 3000,
        ...claims,
      }
      const text = `${encode({ alg, kid })}.${encode(payload)}`
      const { privateKey } = isForged ? attackerKey : googleKey
      return `Bearer ${text}.${createSign('RSA-SHA256').update(text).sign(privateKey).toString('base64url')}`
    },
  }
}
