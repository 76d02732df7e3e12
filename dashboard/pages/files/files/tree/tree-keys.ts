import type { KeyboardEvent } from 'react'

/** Up and Down move focus, Right expands or enters, Left collapses or leaves, Enter selects. */
export function navigateTree(event: KeyboardEvent<HTMLElement>) {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=treeitem]')]
  const item = (event.target as HTMLElement).closest<HTMLElement>('[role=treeitem]')
  const index = item ? items.indexOf(item) : -1
  if (!item || index < 0 || event.ctrlKey || event.metaKey || event.altKey) return
  const isOpen = item.getAttribute('aria-expanded')
  const toggle = () => item.querySelector<HTMLElement>('[data-tree-toggle]')?.click()
  const levelOf = (other: HTMLElement) => Number(other.ariaLevel)
  switch (event.key) {
    case 'ArrowDown':
      items[index + 1]?.focus()
      break
    case 'ArrowUp':
      items[index - 1]?.focus()
      break
    case 'ArrowRight':
      if (isOpen === 'false') toggle()
      else if (isOpen === 'true') items[index + 1]?.focus()
      break
    case 'ArrowLeft':
      if (isOpen === 'true') toggle()
      else
        items
          .slice(0, index)
          .findLast((other) => levelOf(other) < levelOf(item))
          ?.focus()
      break
    case 'Home':
      items[0]?.focus()
      break
    case 'End':
      items.at(-1)?.focus()
      break
    case 'Enter':
    case ' ':
      item.click()
      break
    default:
      return
  }
  event.preventDefault()
}
