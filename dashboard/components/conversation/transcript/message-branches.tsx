import { GitBranch } from 'lucide-react'
import { Button } from '../../button.tsx'
import { Menu, MenuItem } from '../../menu.tsx'
import { Time } from '../../time.tsx'
import { useOpenConversation } from '../conversation-context.ts'

/** The conversations that branched before a message, so that each of them can be reached from it. */
export function MessageBranches({ seq }: { seq: number }) {
  const { branches, onOpen } = useOpenConversation()
  const messageBranches = branches.filter(({ branchedFrom }) => branchedFrom?.seq === seq)
  if (messageBranches.length === 0) return null
  const trigger = (
    <Button look="quiet" size="small">
      <GitBranch aria-hidden className="icon" />
      {messageBranches.length === 1 ? '1 branch' : `${messageBranches.length} branches`}
    </Button>
  )
  return (
    <Menu trigger={trigger}>
      {messageBranches.map(({ id, title, createdAt }) => (
        <MenuItem key={id} onSelect={() => onOpen(id)}>
          <span className="min-w-0 flex-1 truncate">{title ?? 'Branch'}</span>
          <span className="text-12 text-neutral-11">
            <Time at={createdAt} />
          </span>
        </MenuItem>
      ))}
    </Menu>
  )
}
