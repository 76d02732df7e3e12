import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { app } from '../../../frame/root-route.tsx'
import { textParams } from '../../../state/text-params.ts'

const chat = createRoute({
  getParentRoute: () => app,
  path: 'chat',
  staticData: { title: 'Chat' },
  // `project` and `agent` choose those of a new chat; `people` opens the list of people.
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'q', 'project', 'agent', 'people'),
  component: lazyRouteComponent(() => import('./chat-page.tsx'), 'ChatPage'),
})

const index = createRoute({
  getParentRoute: () => chat,
  path: '/',
  component: lazyRouteComponent(() => import('./new-chat-page.tsx'), 'ChatStartPage'),
})

const newChat = createRoute({
  getParentRoute: () => chat,
  path: 'new',
  staticData: { title: 'New chat' },
  component: lazyRouteComponent(() => import('./new-chat-page.tsx'), 'NewChatPage'),
})

const conversation = createRoute({
  getParentRoute: () => chat,
  path: '$sessionId',
  staticData: { title: 'Conversation' },
  component: lazyRouteComponent(() => import('./conversation-page.tsx'), 'ConversationPage'),
})

export const chatRoutes = chat.addChildren([index, newChat, conversation])
