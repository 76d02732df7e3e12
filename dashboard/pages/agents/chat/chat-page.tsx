import { Outlet, useLocation } from '@tanstack/react-router'
import { ChatList } from './chat-list.tsx'

/** The list of conversations beside the open one; two screens on phones. */
export function ChatPage() {
  const isList = useLocation().pathname.replace(/\/$/, '') === '/chat'
  return (
    <div className="flex min-h-0 min-w-0 flex-1">
      <div
        className={`w-full min-w-0 flex-col border-neutral-6 md:flex md:w-list md:shrink-0 md:border-r ${isList ? 'flex' : 'hidden'}`}
      >
        <ChatList isPage={isList} />
      </div>
      <div className={`min-h-0 min-w-0 flex-1 flex-col md:flex ${isList ? 'hidden' : 'flex'}`}>
        <Outlet />
      </div>
    </div>
  )
}
