import { useQuery } from '@tanstack/react-query'
import { Failure } from '../../../components/failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Page } from '../../../frame/page.tsx'
import { Section } from '../section.tsx'
import { SettingsTabs } from '../settings-tabs.tsx'
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
    <Page title="Security" tabs={<SettingsTabs />}>
      {security.isPending && <SkeletonRows />}
      {security.error && !data && <Failure error={security.error} onRetry={() => security.refetch()} />}
      {data && (
        <>
          <Section title="Password" lead="Changing it ends your sessions on other devices.">
            <Password hasPassword={data.hasPassword} email={data.email} />
          </Section>
          <Section
            title="Authenticator app"
            lead="A second proof when you sign in: six digits that only your device can know."
          >
            <Authenticator enrolled={data.totp} codesLeft={data.recoveryCodesLeft} />
          </Section>
          <Section
            title="Passkeys"
            lead="Sign in with your fingerprint, your face or a security key. Nothing to type, and nothing to be tricked out of you."
          >
            <Passkeys passkeys={data.passkeys} />
          </Section>
          {data.identities.length > 0 && (
            <Section title="Linked accounts" lead="You can also come in through these.">
              <Identities identities={data.identities} />
            </Section>
          )}
          <Section title="Sessions" lead="Where you are signed in. End what you do not recognise.">
            <Sessions sessions={data.sessions} />
          </Section>
        </>
      )}
    </Page>
  )
}
