import { api } from '../../../api/client.ts'
import { type Memory, refreshMemory } from '../../../api/memory.ts'
import { toast, toastFailure } from '../../../components/toast.tsx'

/** Accepts or rejects a proposal, with undo in the toast. */
export async function decide({ id, key }: Memory, decision: 'accept' | 'reject'): Promise<void> {
  try {
    await api.memory[decision]({ id })
    toast(decision === 'accept' ? `Accepted ${key}` : `Rejected ${key}`, {
      label: 'Undo',
      run: () => void reopen(id),
    })
    await refreshMemory()
  } catch (error) {
    toastFailure(error)
  }
}

async function reopen(id: string): Promise<void> {
  try {
    await api.memory.reopen({ id })
    await refreshMemory()
  } catch (error) {
    toastFailure(error)
  }
}
