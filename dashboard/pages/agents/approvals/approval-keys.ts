import { Check, ListTree, Pencil, X } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import type { Approval } from '../../../api/approvals.ts'

/** The keys press the card's buttons, which are disabled if the decision isn't allowed. */
export function approvalKeys(current: { id: string; kind: Approval['kind'] | 'payment' } | undefined) {
  const find = (selector: string) => findApprovalCard(current?.id)?.querySelector<HTMLElement>(selector)
  return [
    {
      label: t`Approve or answer`,
      keys: 'a',
      icon: Check,
      run: () =>
        current?.kind === 'input' ? find('[data-answer]')?.focus() : find('[data-approve]')?.click(),
    },
    { label: t`Deny`, keys: 'd', icon: X, run: () => find('[data-deny]')?.click() },
    { label: t`Edit input`, keys: 'e', icon: Pencil, run: () => find('[data-edit]')?.click() },
    {
      label: t`Open run or payment`,
      keys: 'Enter',
      icon: ListTree,
      run: () => find('[data-open]')?.click(),
    },
  ]
}

export const findApprovalCard = (id: string | undefined) =>
  id === undefined ? null : document.querySelector<HTMLElement>(`[data-approval="${CSS.escape(id)}"]`)
