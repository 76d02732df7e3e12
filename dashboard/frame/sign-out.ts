import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../api/client.ts'
import { explainShortly } from '../api/explain.ts'
import { toast } from '../components/toast.tsx'

export function useSignOut() {
  const navigate = useNavigate()
  const queries = useQueryClient()
  return async () => {
    try {
      await api.accounts.signOut()
    } catch (error) {
      toast(explainShortly(error))
      return
    }
    await navigate({ to: '/sign-in' })
    queries.clear()
  }
}
