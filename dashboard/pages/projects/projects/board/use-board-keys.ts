import { ArrowLeft, ArrowRight } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Project } from '../../../../api/projects.ts'
import { focusedRow, focusRow } from '../../../../frame/list-keys.ts'
import { usePageKeys } from '../../../../frame/page-keys.ts'
import { setStatus } from '../project-actions.ts'
import { STATUS_NAMES } from '../project-labels.ts'

/** Moves the focused card to the next column, and keeps the focus on it. */
export function useBoardKeys(items: Project[]): void {
  const movedId = useRef<string>(undefined)
  // The card is another element in the other column.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the card has moved.
  useEffect(() => {
    if (movedId.current) focusRow(movedId.current)
    movedId.current = undefined
  }, [items])
  const move = (step: 1 | -1) => () => {
    const id = focusedRow()
    const project = items.find((item) => item.id === id)
    const status = project && STATUS_NAMES[STATUS_NAMES.indexOf(project.status) + step]
    if (!status || !project.canEdit) return false
    movedId.current = project.id
    void setStatus(project, status)
  }
  usePageKeys([
    { label: 'Move to the column on the right', keys: 'shift+ArrowRight', icon: ArrowRight, run: move(1) },
    { label: 'Move to the column on the left', keys: 'shift+ArrowLeft', icon: ArrowLeft, run: move(-1) },
  ])
}
