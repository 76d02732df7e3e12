import { Link } from '@tanstack/react-router'
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import type { Template } from '../../../../api/projects/templates.ts'
import { useCanCreateProjects } from '../../../../api/workspaces.ts'
import { Button, buttonClass } from '../../../../components/button.tsx'
import { Menu, MenuAction } from '../../../../components/menu.tsx'
import { Name, withNames } from '../../../../components/name.tsx'
import { CanvasPreview } from '../previews/canvas-preview.tsx'

interface TemplateCardProps {
  template: Template
  onEdit: () => void
  onDelete: () => void
}

export function TemplateCard({ template, onEdit, onDelete }: TemplateCardProps) {
  const { id, name, emoji, description, shapes, blockCount, createdBy, canEdit } = template
  const canCreate = useCanCreateProjects()
  const blocks = `${blockCount} ${blockCount === 1 ? 'block' : 'blocks'}`
  return (
    <li className="flex flex-col rounded-panel border border-neutral-6 bg-neutral-1">
      <CanvasPreview
        shapes={shapes}
        className="aspect-[8/5] w-full rounded-t-panel border-neutral-6 border-b"
      />
      <div className="flex flex-1 flex-col gap-4 p-12">
        <span className="flex items-center gap-8">
          {emoji && <span aria-hidden>{emoji}</span>}
          <h3 title={name} className="min-w-0 flex-1 truncate font-medium text-13">
            <Name>{name}</Name>
          </h3>
          {canEdit && (
            <Menu
              trigger={
                <Button
                  look="quiet"
                  size="small-icon"
                  aria-haspopup="menu"
                  aria-label={textWithNames`Actions for ${name}`}
                >
                  <Ellipsis aria-hidden className="icon" />
                </Button>
              }
            >
              <MenuAction icon={Pencil} label="Edit…" onSelect={onEdit} />
              <MenuAction icon={Trash2} label="Delete…" onSelect={onDelete} />
            </Menu>
          )}
        </span>
        {description && <p className="text-13 text-neutral-11">{description}</p>}
        <span className="mt-auto flex min-h-32 items-center gap-8 pt-8 text-12 text-neutral-11">
          <span className="min-w-0 flex-1 truncate">
            {createdBy ? withNames`${blocks}, by ${createdBy.name}` : blocks}
          </span>
          {canCreate && (
            <Link
              to="/projects/new"
              search={{ start: `template:${id}` }}
              aria-label={textWithNames`Use ${name}`}
              className={buttonClass('plain', 'small')}
            >
              Use
            </Link>
          )}
        </span>
      </div>
    </li>
  )
}
