import { Eye } from 'lucide-react'
import { LOCALE, t } from '../../../../contract/text.ts'
import { Button } from '../../../components/button.tsx'
import { labelInSentence } from '../../../state/label-in-sentence.ts'
import { goTo } from '../actions/keyboard-navigation.ts'
import { useCanvas } from '../canvas-context.ts'
import type { Change } from '../store/items.ts'
import { changeSubject, listDifferences } from './history-groups.ts'

const VISIBLE_MAX = 50
const VERBS = { created: t`Added`, updated: t`Changed`, moved: t`Moved`, deleted: t`Removed` } as const

interface ChangeDetailsProps {
  changes: Change[]
  onPreview: (seq: number) => void
}

export function ChangeDetails({ changes, onPreview }: ChangeDetailsProps) {
  const canvas = useCanvas()
  const { blocks } = canvas.store.items
  return (
    <ul className="flex flex-col gap-12 border-neutral-6 border-t bg-inset py-12 pr-16 pl-24 text-12">
      {changes.slice(0, VISIBLE_MAX).map((change) => (
        <li key={change.seq} className="relative pr-32">
          {change.restorable !== false && (
            <Button
              look="quiet"
              size="icon"
              aria-label={t`Preview after: ${labelInSentence(VERBS[change.action])} ${changeSubject(change, blocks)}`}
              title="Preview the canvas after this change"
              onClick={() => onPreview(change.seq)}
              className="absolute -top-8 right-0"
            >
              <Eye aria-hidden className="icon" />
            </Button>
          )}
          <p>
            <span className="text-neutral-11">{VERBS[change.action]}</span>{' '}
            {blocks.has(change.itemId) ? (
              <button
                type="button"
                onClick={() => goTo(canvas, change.itemId)}
                className="break-words text-left font-medium text-selection-text hover:underline"
              >
                {changeSubject(change, blocks)}
              </button>
            ) : (
              <span className="break-words font-medium">{changeSubject(change, blocks)}</span>
            )}
          </p>
          {listDifferences(change, blocks).map(({ field, before, after }) => (
            <dl key={field} className="mt-4 grid grid-cols-[64px_1fr] gap-x-8">
              <dt className="text-neutral-11">{field}</dt>
              <dd className="min-w-0">
                <del className="line-clamp-3 break-words text-neutral-11">{before}</del>
                <ins className="line-clamp-3 break-words no-underline">{after}</ins>
              </dd>
            </dl>
          ))}
        </li>
      ))}
      {changes.length > VISIBLE_MAX && (
        <li className="text-neutral-11">and {(changes.length - VISIBLE_MAX).toLocaleString(LOCALE)} more</li>
      )}
    </ul>
  )
}
