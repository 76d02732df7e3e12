import { Check, type LucideIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { createContext, type ReactNode, use, useRef } from 'react'

interface MenuProps {
  trigger: ReactNode
  side?: 'top' | 'bottom'
  /** Open from the start, for a menu that is made when it is asked for. */
  defaultOpen?: boolean
  onClose?: () => void
  children: ReactNode
}

/** Keeps what was chosen until the menu has given focus back, so that what opens next takes it and keeps it. */
const Choosing = createContext<(act: () => void) => void>((act) => act())

/**
 * Not modal: a modal menu would inject a style element, which the content security policy refuses. Not in a portal: the
 * rail is a modal dialog on phones, and what lies outside of it cannot be reached.
 */
export function Menu({ trigger, side = 'bottom', defaultOpen, onClose, children }: MenuProps) {
  const chosen = useRef<() => void>(undefined)
  const actOnChoice = () => {
    if (chosen.current) queueMicrotask(chosen.current)
    chosen.current = undefined
  }
  return (
    <DropdownMenu.Root
      modal={false}
      defaultOpen={defaultOpen}
      onOpenChange={(open) => {
        if (!open) onClose?.()
      }}
    >
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Content
        side={side}
        align="start"
        sideOffset={4}
        collisionPadding={8}
        onCloseAutoFocus={actOnChoice}
        className="z-40 max-h-tall w-menu animate-appear overflow-y-auto rounded-panel bg-float p-4 shadow-float"
      >
        <Choosing value={(act) => (chosen.current = act)}>{children}</Choosing>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}

const ITEM =
  'flex h-32 w-full items-center gap-8 rounded-control px-8 text-13 outline-none select-none data-highlighted:bg-neutral-4'

interface MenuItemProps {
  onSelect: () => void
  className?: string
  children: ReactNode
}

export function MenuItem({ onSelect, className = '', children }: MenuItemProps) {
  const choose = use(Choosing)
  return (
    <DropdownMenu.Item onSelect={() => choose(onSelect)} className={`${ITEM} ${className}`}>
      {children}
    </DropdownMenu.Item>
  )
}

interface MenuActProps {
  icon: LucideIcon
  label: string
  onSelect: () => void
}

/** Something to do, with its picture. */
export function MenuAction({ icon: Icon, label, onSelect }: MenuActProps) {
  return (
    <MenuItem onSelect={onSelect}>
      <Icon aria-hidden className="icon text-neutral-11" />
      {label}
    </MenuItem>
  )
}

interface MenuChoiceProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChoose: (value: T) => void
  /** Choosing is the end of it, rather than something to look at and change again. */
  closes?: boolean
}

export function MenuChoice<T extends string>({
  label,
  value,
  options,
  onChoose,
  closes,
}: MenuChoiceProps<T>) {
  return (
    <DropdownMenu.RadioGroup aria-label={label} value={value} onValueChange={(next) => onChoose(next as T)}>
      <MenuLabel>{label}</MenuLabel>
      {options.map((option) => (
        <DropdownMenu.RadioItem
          key={option.value}
          value={option.value}
          onSelect={closes ? undefined : (event) => event.preventDefault()}
          className={ITEM}
        >
          <span className="truncate">{option.label}</span>
          <DropdownMenu.ItemIndicator className="ml-auto">
            <Check aria-hidden className="icon" />
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="px-8 py-4 text-12 text-neutral-11">{children}</DropdownMenu.Label>
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="-mx-4 my-4 h-px bg-neutral-6" />
}
