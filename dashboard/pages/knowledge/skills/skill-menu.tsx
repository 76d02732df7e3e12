import { Copy, Download, Ellipsis, Trash2 } from 'lucide-react'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import type { Skill } from '../../../api/skills.ts'
import { Button } from '../../../components/button.tsx'
import { copyWithToast } from '../../../components/copy.tsx'
import { Menu, MenuAction } from '../../../components/menu.tsx'

/** `onDelete` is undefined for users who cannot change skills. */
export function SkillMenu({ skill: { id, name }, onDelete }: { skill: Skill; onDelete?: () => void }) {
  const trigger = (
    <Button look="quiet" size="icon" aria-label={textWithNames`Actions for ${name}`}>
      <Ellipsis aria-hidden className="icon" />
    </Button>
  )
  return (
    <Menu trigger={trigger}>
      <MenuAction
        icon={Download}
        label="Export as zip"
        onSelect={() => location.assign(`/api/v1/skills/${id}/export`)}
      />
      <MenuAction icon={Copy} label="Copy skill ID" onSelect={() => void copyWithToast(id, 'skill ID')} />
      {onDelete && <MenuAction icon={Trash2} label="Delete…" onSelect={onDelete} />}
    </Menu>
  )
}
