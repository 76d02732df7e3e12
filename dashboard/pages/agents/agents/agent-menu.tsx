import { Archive, ArchiveRestore, Copy, Ellipsis } from 'lucide-react'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import type { Agent } from '../../../api/agents.ts'
import { Button } from '../../../components/button.tsx'
import { copyWithToast } from '../../../components/copy.tsx'
import { Menu, MenuAction } from '../../../components/menu.tsx'
import { setArchived } from './archive.ts'

export function AgentMenu({ agent, canEdit }: { agent: Agent; canEdit: boolean }) {
  const { id, name, archivedAt } = agent
  const trigger = (
    <Button look="quiet" size="icon" aria-label={textWithNames`Actions for ${name}`}>
      <Ellipsis aria-hidden className="icon" />
    </Button>
  )
  return (
    <Menu trigger={trigger}>
      <MenuAction icon={Copy} label="Copy agent ID" onSelect={() => void copyWithToast(id, 'agent ID')} />
      {canEdit && archivedAt && (
        <MenuAction icon={ArchiveRestore} label="Unarchive" onSelect={() => void setArchived(agent, false)} />
      )}
      {canEdit && !archivedAt && (
        <MenuAction icon={Archive} label="Archive" onSelect={() => void setArchived(agent, true)} />
      )}
    </Menu>
  )
}
