import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'

/** The project of the first chat of an organization that has none. */
export async function createFirstProject(): Promise<string> {
  const { id } = await api.projects.create({ name: 'First project' })
  void queryClient.invalidateQueries({ queryKey: ['projects'] })
  return id
}
