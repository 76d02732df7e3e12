import { Archive, CircleCheck, CirclePlay, RotateCcw, Star, StarOff, Trash2, X } from 'lucide-react'
import { LOCALE, t } from '../../../../../contract/text.ts'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { useFavouriteIds } from '../../../../api/project-pages.ts'
import type { Project } from '../../../../api/projects.ts'
import { Button } from '../../../../components/button.tsx'
import { applyToSelected } from './bulk-actions.ts'
import type { BulkAction } from './bulk-sentences.ts'
import {
  clearSelection,
  selectOnly,
  selectTo,
  toggleSelected,
  useIsSelected,
  useSelectedIds,
} from './selection.ts'

const ACTIONS = {
  undelete: { label: t`Restore`, icon: RotateCcw },
  activate: { label: t`Reactivate`, icon: CirclePlay },
  complete: { label: t`Complete`, icon: CircleCheck },
  archive: { label: t`Archive`, icon: Archive },
  favourite: { label: t`Favorite`, icon: Star },
  unfavourite: { label: t`Remove from favorites`, icon: StarOff },
  delete: { label: t`Delete`, icon: Trash2 },
} satisfies Partial<Record<BulkAction, unknown>>

/** Replaces the filters, so the list doesn't move. */
export function SelectionBar({ items, inTrash }: { items: Project[]; inTrash?: boolean }) {
  const ids = useSelectedIds()
  const favourites = useFavouriteIds()
  const selected = items.filter(({ id }) => ids.has(id))
  const actions = inTrash ? (['undelete'] as const) : actionsFor(selected, favourites)
  return (
    <div
      role="toolbar"
      aria-label="Selected projects"
      className="flex min-h-row flex-wrap items-center gap-4 border-selection-line border-b bg-selection-wash px-16 py-4 md:px-24"
    >
      <Button
        look="quiet"
        size="small-icon"
        aria-label="Clear selection"
        title="Clear selection"
        onClick={clearSelection}
      >
        <X aria-hidden className="icon" />
      </Button>
      <span role="status" className="pr-8 font-medium text-13 tabular-nums">
        {selected.length} selected
      </span>
      {actions.map((action) => {
        const { label, icon: Icon } = ACTIONS[action]
        return (
          <Button
            key={action}
            look="quiet"
            size="small"
            onClick={() => void applyToSelected(action, selected)}
          >
            <Icon aria-hidden className="icon" />
            {label}
          </Button>
        )
      })}
      {selected.length < items.length && (
        <Button
          look="quiet"
          size="small"
          className="ml-auto"
          onClick={() => selectOnly(items.map(({ id }) => id))}
        >
          Select all {items.length.toLocaleString(LOCALE)}
        </Button>
      )}
    </div>
  )
}

function actionsFor(selected: Project[], favourites: ReadonlySet<string>): (keyof typeof ACTIONS)[] {
  const editable = selected.filter(({ canEdit }) => canEdit)
  const hasOtherStatus = (status: Project['status']) => editable.some((project) => project.status !== status)
  return [
    ...(hasOtherStatus('active') ? (['activate'] as const) : []),
    ...(hasOtherStatus('completed') ? (['complete'] as const) : []),
    ...(hasOtherStatus('archived') ? (['archive'] as const) : []),
    selected.every(({ id }) => favourites.has(id)) ? 'unfavourite' : 'favourite',
    ...(editable.length > 0 ? (['delete'] as const) : []),
  ]
}

interface SelectBoxProps {
  id: string
  name: string
  /** Row ids in list order, for a range. */
  order: () => readonly string[]
}

export function SelectBox({ id, name, order }: SelectBoxProps) {
  const isSelected = useIsSelected(id)
  return (
    <label className="relative z-1 -m-8 inline-flex cursor-pointer p-8">
      <input
        type="checkbox"
        data-select
        aria-label={textWithNames`Select ${name}`}
        checked={isSelected}
        onChange={(event) =>
          (event.nativeEvent as MouseEvent).shiftKey ? selectTo(id, order()) : toggleSelected(id)
        }
        className="size-16 cursor-pointer opacity-0 checked:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100 [[data-row]:hover_&]:opacity-100 [[data-selecting]_&]:opacity-100 [tr:hover_&]:opacity-100"
      />
    </label>
  )
}
