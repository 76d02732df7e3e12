import { useState } from 'react'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { publicApi } from '../../../api/client.ts'
import { Button } from '../../../components/button.tsx'
import { AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { Name } from '../../../components/name.tsx'
import { CheckEmail } from '../../accounts/sign-in/check-email.tsx'
import { Invitation, WrongAccount } from '../../organizations/invite/invitation.tsx'
import { JoinForm, type ProjectInvitation } from './join-form.tsx'

/** The page of a project's invite link. */
export function JoinPage() {
  const [requestedEmail, setRequestedEmail] = useState<string>()
  if (requestedEmail) {
    return (
      <CheckEmail
        email={requestedEmail}
        lead="Open the link in it to join. It works once and expires in 1 day."
      >
        <Button onClick={() => setRequestedEmail(undefined)}>Back</Button>
      </CheckEmail>
    )
  }
  return (
    <Invitation
      kind="project-invite"
      read={(token, signal) => publicApi.sharing.readInvite({ token }, { signal })}
      expiredLead="It was revoked, replaced, used up or has expired."
    >
      {({ invite, signedInAs, ...rest }) => (
        <AuthLayout
          title={textWithNames`Join ${[invite.project.emoji, invite.project.name].filter(Boolean).join(' ')}`}
          lead={<Lead invite={invite} />}
        >
          {signedInAs && invite.email && signedInAs !== invite.email ? (
            <WrongAccount signedInAs={signedInAs} invitedEmail={invite.email} />
          ) : (
            <JoinForm invite={invite} signedInAs={signedInAs} onRequested={setRequestedEmail} {...rest} />
          )}
        </AuthLayout>
      )}
    </Invitation>
  )
}

function Lead({
  invite: { organization, workspace, role, invitedBy, email },
}: {
  invite: ProjectInvitation
}) {
  return (
    <>
      {invitedBy} invited {email ? <Strong>{email}</Strong> : 'you'} to the workspace{' '}
      <Strong>{workspace.name}</Strong> in <Strong>{organization.name}</Strong> as{' '}
      {role === 'editor' ? 'an editor' : 'a viewer'}.
    </>
  )
}

const Strong = ({ children }: { children: string }) => (
  <span className="font-medium text-neutral-12">
    <Name>{children}</Name>
  </span>
)
