import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { textParams } from '../state/text-params.ts'
import { app } from './root.tsx'

const chat = createRoute({
  getParentRoute: () => app,
  path: 'chat',
  staticData: { title: 'Chat' },
  // `project` and `agent` choose those of a new chat; `people` opens the list of people.
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'q', 'project', 'agent', 'people'),
  component: lazyRouteComponent(() => import('../pages/chat/chat-page.tsx'), 'ChatPage'),
})

const index = createRoute({
  getParentRoute: () => chat,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/chat/new-chat-page.tsx'), 'ChatStartPage'),
})

const newChat = createRoute({
  getParentRoute: () => chat,
  path: 'new',
  staticData: { title: 'New chat' },
  component: lazyRouteComponent(() => import('../pages/chat/new-chat-page.tsx'), 'NewChatPage'),
})

const conversation = createRoute({
  getParentRoute: () => chat,
  path: '$sessionId',
  staticData: { title: 'Conversation' },
  component: lazyRouteComponent(() => import('../pages/chat/conversation-page.tsx'), 'ConversationPage'),
})

export const chatRoutes = chat.addChildren([index, newChat, conversation])
