import { type Agent, cacheAgent } from '../../../api/agents.ts'
import { api } from '../../../api/client.ts'
import { withNames } from '../../../components/name.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'

/** Archives or unarchives, with undo in the toast. */
export async function setArchived(agent: Agent, archived: boolean): Promise<void> {
  const { id, name } = agent
  try {
    const changed = await (archived ? api.agents.remove({ id }) : api.agents.unarchive({ id }))
    const undo = { label: 'Undo', run: () => void setArchived(changed, !archived) }
    toast(archived ? withNames`Archived ${name}` : withNames`Unarchived ${name}`, undo)
    await cacheAgent(changed)
  } catch (error) {
    toastFailure(error)
  }
}
