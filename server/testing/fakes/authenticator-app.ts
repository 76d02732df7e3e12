import { TOTP } from 'otpauth'
import type { Person } from '../factories/factories.ts'
import type { TestApp } from '../test-app.ts'

export async function enrolTotp(app: TestApp, person: Person) {
  const client = await app.withSession(person)
  const { secret } = await client.security.beginTotp()
  const code = () => generateCode(secret, app.clock.now())
  const firstCode = code()
  const { recoveryCodes } = await client.security.confirmTotp({ code: firstCode })
  return {
    recoveryCodes,
    firstCode,
    /** Advances the clock one step. */
    nextCode: () => {
      app.clock.advance(30)
      return code()
    },
  }
}

export const generateCode = (secret: string, now: Date) =>
  new TOTP({ secret }).generate({ timestamp: now.getTime() })
