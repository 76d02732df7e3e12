import type { LucideIcon } from 'lucide-react'

export interface MenuEntry {
  label: string
  icon: LucideIcon
  keys?: string
  run: () => unknown
}
