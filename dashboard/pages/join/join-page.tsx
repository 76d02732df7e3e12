import { publicApi } from '../../api/client.ts'
import { AuthLayout } from '../../components/layout/auth-layout.tsx'
import { Invitation } from '../invite/invitation.tsx'
import { WrongAccount } from '../invite/wrong-account.tsx'
import { JoinForm, type ProjectInvitation } from './join-form.tsx'

/** The page of a project's invite link. */
export const JoinPage = () => (
  <Invitation
    kind="project-invite"
    read={(token, signal) => publicApi.sharing.readInvite({ token }, { signal })}
    expiredLead="It was revoked, replaced, used up or has expired."
  >
    {({ invite, signedInAs, ...held }) => (
      <AuthLayout
        title={`Join ${[invite.project.emoji, invite.project.name].filter(Boolean).join(' ')}`}
        lead={<Lead invite={invite} />}
      >
        {signedInAs && invite.email && signedInAs !== invite.email ? (
          <WrongAccount signedInAs={signedInAs} invited={invite.email} />
        ) : (
          <JoinForm invite={invite} signedInAs={signedInAs} {...held} />
        )}
      </AuthLayout>
    )}
  </Invitation>
)

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
  <span className="font-medium text-neutral-12">{children}</span>
)
