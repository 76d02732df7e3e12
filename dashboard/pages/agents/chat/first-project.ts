import { api } from '../../../api/client.ts'
import { queryClient } from '../../../api/query-client.ts'

/** Creates a project for the first chat of an organization without projects. */
export async function createFirstProject(): Promise<string> {
  const { id } = await api.projects.create({ name: 'First project' })
  void queryClient.invalidateQueries({ queryKey: ['projects'] })
  return id
}
