import { useQuery } from '@tanstack/react-query'
import { memberNamesQuery } from '../../../api/conversations.ts'
import { Name } from '../../../components/name.tsx'

export function Creator({ userId }: { userId: string }) {
  const { data } = useQuery(memberNamesQuery)
  if (!data) return null
  const name = data.get(userId)
  return name === undefined ? <>Former member</> : <Name>{name}</Name>
}
