import type { OutputOf } from '../../../contract/endpoint.ts'
import type { Contract } from '../../../contract/index.ts'
import { publicApi } from '../../api/client.ts'
import { AuthLayout } from '../../components/layout/auth-layout.tsx'
import { Invitation } from '../invite/invitation.tsx'
import { WrongAccount } from '../invite/wrong-account.tsx'
import { JoinForm } from './join-form.tsx'

export type OpenInvite = OutputOf<Contract['sharing']['readInvite']>

/** Where an invite link of a project leads. */
export const JoinPage = () => (
  <Invitation
    kind="project-invite"
    read={(token, signal) => publicApi.sharing.readInvite({ token }, { signal })}
    spentLead="It was revoked, replaced or used up, or its time is over."
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

function Lead({ invite: { organization, workspace, role, invitedBy, email } }: { invite: OpenInvite }) {
  return (
    <>
      {invitedBy} invites {email ? <Strong>{email}</Strong> : 'you'} into the workspace{' '}
      <Strong>{workspace.name}</Strong> of <Strong>{organization.name}</Strong>, as{' '}
      {role === 'editor' ? 'an editor, who changes its projects' : 'a viewer, who looks at its projects'}.
    </>
  )
}

const Strong = ({ children }: { children: string }) => (
  <span className="font-medium text-neutral-12">{children}</span>
)
