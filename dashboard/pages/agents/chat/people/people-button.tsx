import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import type { Conversation } from '../../../../api/conversations.ts'
import { Button } from '../../../../components/button.tsx'
import { PeopleDialog } from './people-dialog.tsx'

const route = getRouteApi('/app/chat')

/** Shows who takes part in a conversation. The dialog has a URL of its own, which the CLI prints. */
export function PeopleButton({ conversation }: { conversation: Conversation }) {
  const { people } = route.useSearch()
  const navigate = useNavigate()
  const { createdBy, participants } = conversation
  const count = new Set([createdBy, ...participants.map(({ userId }) => userId)].filter(Boolean)).size
  const setOpen = (isOpen: boolean) =>
    void navigate({
      to: '.',
      search: (previous) => ({ ...previous, people: isOpen ? 'all' : undefined }),
      replace: true,
    })
  return (
    <>
      <Button
        look="quiet"
        size="small"
        aria-label={`People in this conversation: ${count}`}
        title="People in this conversation"
        onClick={() => setOpen(true)}
      >
        <Users aria-hidden className="icon" />
        <span className="tabular-nums">{count}</span>
      </Button>
      {people !== undefined && <PeopleDialog conversation={conversation} onClose={() => setOpen(false)} />}
    </>
  )
}
