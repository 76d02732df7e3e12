import { useNavigate } from '@tanstack/react-router'
import { api } from '../api/client.ts'
import { shortMessage } from '../api/explain.ts'
import { clearUserQueries } from '../api/query-client.ts'
import { useSession } from '../api/session.ts'
import { clearToasts, toast } from '../components/toast.tsx'
import { feedbackDraft } from '../state/feedback-draft.ts'

export function useSignOut() {
  const navigate = useNavigate()
  const { user } = useSession()
  return async () => {
    try {
      await api.accounts.signOut()
    } catch (error) {
      toast(shortMessage(error))
      return
    }
    feedbackDraft(user.id).write('')
    await navigate({ to: '/sign-in' })
    clearToasts()
    clearUserQueries()
  }
}
