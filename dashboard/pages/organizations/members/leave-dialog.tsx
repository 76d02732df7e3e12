import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { publicApi } from '../../../api/client.ts'
import { organizationApi } from '../../../api/organizations.ts'
import { clearUserQueries } from '../../../api/query-client.ts'
import { sessionQuery, useSession } from '../../../api/session.ts'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'
import { refetchAfterSwitch } from '../../../frame/switch-workspace.ts'

export function LeaveDialog({ onClose }: { onClose: () => void }) {
  const { organization, organizations } = useSession()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const isOnlyOrganization = organizations.length < 2
  return (
    <ConfirmDialog
      title={withNames`Leave ${organization.name}`}
      phrase={organization.name}
      action="Leave organization"
      mutate={() => organizationApi.organization.leave()}
      onSuccess={async () => {
        toast(withNames`You left ${organization.name}`)
        // The server selects the next organization. Without one, there is no session.
        const session = await publicApi.accounts.session().catch(() => null)
        if (session) queries.setQueryData(sessionQuery.queryKey, session)
        await navigate({ to: session ? '/' : '/sign-in' })
        if (session) await refetchAfterSwitch(queries)
        else clearUserQueries()
      }}
      onClose={onClose}
    >
      <p>
        You lose access to all its workspaces and your API keys here are revoked. Your content stays with the
        organization. To join again, you need a new invitation.
      </p>
      {isOnlyOrganization && <p>This is your only organization. You will be signed out.</p>}
    </ConfirmDialog>
  )
}
