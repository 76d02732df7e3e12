import { useNavigate } from '@tanstack/react-router'
import { LogOut, ShieldCheck, User } from 'lucide-react'
import { t } from '../../contract/text.ts'
import { useSession } from '../api/session.ts'
import { PersonFace } from '../components/faces.tsx'
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '../components/menu.tsx'
import { Name } from '../components/name.tsx'
import { chooseTheme, THEMES, type Theme, useTheme } from '../state/theme.ts'
import { useSignOut } from './sign-out.ts'

const LABELS: Record<Theme, string> = { system: t`System`, light: t`Light`, dark: t`Dark` }

export function AccountMenu({ collapsed }: { collapsed: boolean }) {
  const { user } = useSession()
  const theme = useTheme()
  const navigate = useNavigate()
  const signOut = useSignOut()
  return (
    <Menu
      side="top"
      trigger={
        <button
          type="button"
          className="flex h-32 min-w-0 flex-1 items-center gap-8 rounded-control px-4 text-left font-medium text-13 transition-colors hover:bg-hover data-[state=open]:bg-selected"
        >
          <PersonFace person={user} />
          <span className="sr-only">Account</span>
          <span className={collapsed ? 'sr-only' : 'truncate'}>
            <Name>{user.name}</Name>
          </span>
        </button>
      }
    >
      <MenuLabel>
        <span className="block truncate font-strong text-13 text-neutral-12">
          <Name>{user.name}</Name>
        </span>
        <span className="block truncate">{user.email}</span>
      </MenuLabel>
      <MenuSeparator />
      <MenuItem onSelect={() => navigate({ to: '/settings/account' })}>
        <User aria-hidden className="icon text-neutral-11" />
        Profile
      </MenuItem>
      <MenuItem onSelect={() => navigate({ to: '/settings/security' })}>
        <ShieldCheck aria-hidden className="icon text-neutral-11" />
        Security
      </MenuItem>
      <MenuSeparator />
      <MenuChoice
        label="Theme"
        value={theme}
        options={THEMES.map((value) => ({ value, label: LABELS[value] }))}
        onChoose={chooseTheme}
      />
      <MenuSeparator />
      <MenuItem onSelect={signOut}>
        <LogOut aria-hidden className="icon text-neutral-11" />
        Sign out
      </MenuItem>
    </Menu>
  )
}
