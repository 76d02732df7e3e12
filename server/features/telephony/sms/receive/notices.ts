import { dictionary } from '../../../../../contract/dictionary.ts'
import type { Keyword } from '../keywords.ts'

type Texts = Readonly<Record<Keyword, (sender: string) => string>>

const ENGLISH: Texts = {
  stop: (sender) => `You will receive no more messages from ${sender}. Reply START to receive them again.`,
  start: (sender) => `You will receive messages from ${sender} again. Reply STOP to end them.`,
  help: (sender) => `This is ${sender}. Reply STOP to receive no more messages. Message rates may apply.`,
}

const BY_LANGUAGE: Readonly<Record<string, Texts>> = dictionary({
  en: ENGLISH,
  de: {
    stop: (sender) => `Sie erhalten keine Nachrichten von ${sender} mehr. Mit START erhalten Sie sie wieder.`,
    start: (sender) => `Sie erhalten wieder Nachrichten von ${sender}. Mit STOP beenden Sie sie.`,
    help: (sender) => `Hier ist ${sender}. Mit STOP erhalten Sie keine Nachrichten mehr.`,
  },
  fr: {
    stop: (sender) =>
      `Vous ne recevrez plus de messages de ${sender}. Répondez START pour en recevoir à nouveau.`,
    start: (sender) =>
      `Vous recevez à nouveau les messages de ${sender}. Répondez ARRET pour ne plus en recevoir.`,
    help: (sender) => `Ici ${sender}. Répondez ARRET pour ne plus recevoir de messages.`,
  },
  es: {
    stop: (sender) => `Ya no recibirá mensajes de ${sender}. Responda START para recibirlos de nuevo.`,
    start: (sender) => `Recibirá de nuevo los mensajes de ${sender}. Responda BAJA para no recibirlos.`,
    help: (sender) => `Le escribe ${sender}. Responda BAJA para no recibir más mensajes.`,
  },
  pt: {
    stop: (sender) => `Não receberá mais mensagens de ${sender}. Responda START para voltar a recebê-las.`,
    start: (sender) => `Voltará a receber mensagens de ${sender}. Responda PARAR para deixar de recebê-las.`,
    help: (sender) => `Aqui fala ${sender}. Responda PARAR para não receber mais mensagens.`,
  },
})

/** The answer to a keyword, in the language of the number. */
export const noticeOf = (keyword: Keyword, language: string, sender: string): string =>
  (BY_LANGUAGE[language.split('-')[0]!] ?? ENGLISH)[keyword](sender)
