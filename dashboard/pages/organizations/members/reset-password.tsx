import { useMutation } from '@tanstack/react-query'
import { failureMessage } from '../../../api/explain.ts'
import { organizationApi } from '../../../api/organizations.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { SecretDialog } from '../../../components/dialogs/secret-dialog.tsx'
import { Name } from '../../../components/name.tsx'
import type { Member } from '../organization/organization-queries.ts'

/** Creates a link with which the member sets a new password. For servers that cannot send email. */
export function ResetPassword({ member, onClose }: { member: Member; onClose: () => void }) {
  const create = useMutation({
    mutationFn: () => organizationApi.organization.resetPassword({ userId: member.id }),
  })
  if (create.data) {
    return (
      <SecretDialog
        title="Send this link"
        what="reset link"
        value={create.data.url}
        about={
          <>
            Send this link to <Name>{member.name}</Name> over a channel that only they can read. It works
            once, expires in 24 hours, and is shown only now. Anyone who opens it can sign in to this account.
          </>
        }
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      size="normal"
      title="Reset password"
      action="Create reset link"
      lead={
        <>
          This server can’t send email. You get a link with which <Name>{member.name}</Name> sets a new
          password; their sessions then end. The audit log records it.
        </>
      }
      failure={failureMessage(create.error)}
      busy={create.isPending}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    />
  )
}
