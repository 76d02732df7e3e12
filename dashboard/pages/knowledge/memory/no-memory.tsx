import { BookMarked, SearchX } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { withNames } from '../../../components/name.tsx'

interface NoMemoryProps {
  q: string | undefined
  canEdit: boolean
  onCreate: () => void
  onClear: () => void
}

export function NoMemory({ q, canEdit, onCreate, onClear }: NoMemoryProps) {
  if (q) {
    return (
      <Empty
        icon={SearchX}
        title={withNames`No memory matches “${q}”`}
        action={<Button onClick={onClear}>Clear search</Button>}
      >
        The search covers keys, tags and contents. Put a phrase in quotes, and a minus before words to
        exclude.
      </Empty>
    )
  }
  return (
    <Empty
      icon={BookMarked}
      title="No memories yet"
      action={
        canEdit && (
          <Button look="primary" onClick={onCreate}>
            New memory
          </Button>
        )
      }
      command={canEdit ? 'npx atrium memory add releases "Releases go out on Tuesdays"' : undefined}
    >
      A memory is a decision, a preference or a fact, for one project or for the organization. Agents search
      memories and save new ones. If an agent has read content from outside, its memories wait under Proposed
      until a person accepts them.
      {!canEdit && ' Members who can edit in a workspace add memories.'}
    </Empty>
  )
}
