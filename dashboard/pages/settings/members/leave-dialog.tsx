import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, publicApi } from '../../../api/client.ts'
import { clearUserQueries } from '../../../api/query-client.ts'
import { sessionQuery, useSession } from '../../../api/session.ts'
import { ConfirmTyped } from '../../../components/dialogs/confirm-typed.tsx'
import { toast } from '../../../components/toast.tsx'
import { refetchAfterSwitch } from '../../../frame/switch-workspace.ts'

export function LeaveDialog({ onClose }: { onClose: () => void }) {
  const { organization, organizations } = useSession()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const isOnlyOne = organizations.length < 2
  return (
    <ConfirmTyped
      title={`Leave ${organization.name}`}
      word={organization.name}
      action="Leave organization"
      onConfirm={async () => {
        await api.organization.leave()
        toast(`You left ${organization.name}`)
        // Whether another organization takes its place is the server's to say; without one there is nobody to be.
        const session = await publicApi.accounts.session().catch(() => null)
        if (session) queries.setQueryData(sessionQuery.queryKey, session)
        await navigate({ to: session ? '/' : '/sign-in' })
        if (session) await refetchAfterSwitch(queries)
        else clearUserQueries()
      }}
      onClose={onClose}
    >
      <p>
        Your API keys here stop working, and you lose its workspaces. What you made stays with the
        organization. Only an invitation brings you back.
      </p>
      {isOnlyOne && <p>It is the only organization you belong to: you are signed out.</p>}
    </ConfirmTyped>
  )
}
