import { useQuery } from '@tanstack/react-query'
import { Failure } from '../../../components/failure.tsx'
import { Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Page } from '../../../frame/page.tsx'
import { Authenticator } from './authenticator.tsx'
import { Identities } from './identities.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { securityQuery } from './security-queries.ts'
import { Sessions } from './sessions.tsx'

export function SecurityPage() {
  const security = useQuery(securityQuery)
  const { data } = security
  return (
    <Page title="Security">
      {security.isPending && <SkeletonRows />}
      {security.error && !data && <Failure error={security.error} onRetry={() => security.refetch()} />}
      {data && (
        <>
          <Section title="Password" lead="Changing your password signs you out on all other devices.">
            <Password hasPassword={data.hasPassword} email={data.email} />
          </Section>
          <Section title="Authenticator app" lead="A 6-digit code from your phone, required at sign-in.">
            <Authenticator enrolled={data.totp} codesLeft={data.recoveryCodesLeft} />
          </Section>
          <Section
            title="Passkeys"
            lead="Sign in with your fingerprint, face or a security key. Passkeys resist phishing."
          >
            <Passkeys passkeys={data.passkeys} />
          </Section>
          {data.identities.length > 0 && (
            <Section title="Connected accounts" lead="You can sign in with these accounts.">
              <Identities identities={data.identities} />
            </Section>
          )}
          <Section
            title="Sessions"
            lead="Devices where you’re signed in. Revoke sessions you don’t recognize."
          >
            <Sessions sessions={data.sessions} />
          </Section>
        </>
      )}
    </Page>
  )
}
