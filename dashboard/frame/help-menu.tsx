import { useNavigate } from '@tanstack/react-router'
import { BookOpen, CircleQuestionMark, Keyboard, MessageSquareText, Send } from 'lucide-react'
import { KEY_HINT } from '../components/kbd.tsx'
import { Menu, MenuItem, MenuSeparator } from '../components/menu.tsx'
import { openOverlay } from '../state/overlay.ts'

export function HelpMenu() {
  const navigate = useNavigate()
  return (
    <Menu
      side="top"
      trigger={
        <button
          type="button"
          aria-label="Help"
          title="Help"
          className="inline-flex size-32 shrink-0 items-center justify-center rounded-control text-neutral-11 transition-colors hover:bg-hover hover:text-neutral-12 data-[state=open]:bg-selected"
        >
          <CircleQuestionMark aria-hidden className="icon" />
        </button>
      }
    >
      <MenuItem onSelect={() => location.assign('/docs')}>
        <BookOpen aria-hidden className="icon text-neutral-11" />
        API reference
      </MenuItem>
      <MenuItem onSelect={() => openOverlay('shortcuts')} className={KEY_HINT}>
        <Keyboard aria-hidden className="icon text-neutral-11" />
        Keyboard shortcuts
      </MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={() => openOverlay('send-feedback')}>
        <Send aria-hidden className="icon text-neutral-11" />
        Send feedback
      </MenuItem>
      <MenuItem onSelect={() => navigate({ to: '/feedback' })}>
        <MessageSquareText aria-hidden className="icon text-neutral-11" />
        My feedback
      </MenuItem>
    </Menu>
  )
}
