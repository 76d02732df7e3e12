import { TOTP } from 'otpauth'
import type { Person } from '../factories/factories.ts'
import type { TestApp } from '../test-app.ts'

/** Gives somebody an authenticator app, in the way that they would do it. */
export async function enrolTotp(app: TestApp, person: Person) {
  const client = await app.inBrowser(person)
  const { secret } = await client.security.beginTotp()
  const code = () => codeOf(secret, app.clock.now())
  const firstCode = code()
  const { recoveryCodes } = await client.security.confirmTotp({ code: firstCode })
  return {
    recoveryCodes,
    /** The one that confirmed it. */
    firstCode,
    /** The one that the app shows next, once time has come to it. */
    nextCode: () => {
      app.clock.advance(30)
      return code()
    },
  }
}

export const codeOf = (secret: string, now: Date) =>
  new TOTP({ secret }).generate({ timestamp: now.getTime() })
