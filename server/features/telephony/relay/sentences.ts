import { dictionary } from '../../../../contract/dictionary.ts'
export interface Sentences {
  moment: string
  stillThere: string
  goodbye: string
  /** The agent can't help, so the call ends. */
  sorry: string
  timeLimit: string
  colleague: string
  /** The member who talks in the browser can decide on the screen. */
  decide: string
  /** The agent failed. The caller can try again. */
  again: string
}

const ENGLISH: Sentences = {
  moment: 'One moment, please.',
  stillThere: 'Are you still there?',
  goodbye: 'I cannot hear you, so I am ending the call. Goodbye.',
  sorry: 'I am sorry, I cannot help you at the moment. Please call again later. Goodbye.',
  timeLimit: 'This call has reached its maximum length. Thank you for calling. Goodbye.',
  colleague: 'I have to ask a colleague. Please hold the line.',
  decide: 'I need your decision. Please look at the screen.',
  again: 'I am sorry, something went wrong. Please say that again.',
}

/** By primary language subtag. */
const BY_LANGUAGE: Record<string, Sentences> = dictionary({
  en: ENGLISH,
  de: {
    moment: 'Einen Moment, bitte.',
    stillThere: 'Sind Sie noch da?',
    goodbye: 'Ich kann Sie nicht hören und beende den Anruf. Auf Wiederhören.',
    sorry:
      'Es tut mir leid, ich kann Ihnen gerade nicht helfen. Bitte rufen Sie später noch einmal an. Auf Wiederhören.',
    timeLimit: 'Dieser Anruf hat seine Höchstdauer erreicht. Danke für Ihren Anruf. Auf Wiederhören.',
    colleague: 'Ich muss eine Kollegin oder einen Kollegen fragen. Bitte bleiben Sie am Apparat.',
    decide: 'Ich brauche Ihre Entscheidung. Bitte schauen Sie auf den Bildschirm.',
    again: 'Entschuldigung, da ist etwas schiefgegangen. Bitte sagen Sie das noch einmal.',
  },
  fr: {
    moment: 'Un instant, s’il vous plaît.',
    stillThere: 'Êtes-vous toujours là ?',
    goodbye: 'Je ne vous entends pas, je mets donc fin à l’appel. Au revoir.',
    sorry:
      'Je suis désolé, je ne peux pas vous aider pour le moment. Veuillez rappeler plus tard. Au revoir.',
    timeLimit: 'Cet appel a atteint sa durée maximale. Merci de votre appel. Au revoir.',
    colleague: 'Je dois demander à un collègue. Veuillez rester en ligne.',
    decide: 'J’ai besoin de votre décision. Veuillez regarder l’écran.',
    again: 'Je suis désolé, une erreur s’est produite. Pouvez-vous répéter ?',
  },
  es: {
    moment: 'Un momento, por favor.',
    stillThere: '¿Sigue usted ahí?',
    goodbye: 'No le oigo, así que voy a finalizar la llamada. Adiós.',
    sorry: 'Lo siento, no puedo ayudarle en este momento. Por favor, llame más tarde. Adiós.',
    timeLimit: 'Esta llamada ha alcanzado su duración máxima. Gracias por llamar. Adiós.',
    colleague: 'Tengo que preguntar a un compañero. Por favor, no cuelgue.',
    decide: 'Necesito su decisión. Por favor, mire la pantalla.',
    again: 'Lo siento, algo ha fallado. ¿Puede repetirlo, por favor?',
  },
  it: {
    moment: 'Un momento, per favore.',
    stillThere: 'È ancora in linea?',
    goodbye: 'Non la sento, quindi termino la chiamata. Arrivederci.',
    sorry: 'Mi dispiace, al momento non posso aiutarla. Richiami più tardi, per favore. Arrivederci.',
    timeLimit: 'Questa chiamata ha raggiunto la durata massima. Grazie per aver chiamato. Arrivederci.',
    colleague: 'Devo chiedere a un collega. Resti in linea, per favore.',
    decide: 'Ho bisogno di una sua decisione. Guardi lo schermo, per favore.',
    again: 'Mi dispiace, qualcosa è andato storto. Può ripetere, per favore?',
  },
  pt: {
    moment: 'Um momento, por favor.',
    stillThere: 'Ainda está aí?',
    goodbye: 'Não consigo ouvir, por isso vou terminar a chamada. Até logo.',
    sorry: 'Lamento, não posso ajudar neste momento. Por favor, ligue mais tarde. Até logo.',
    timeLimit: 'Esta chamada atingiu a duração máxima. Obrigado por ligar. Até logo.',
    colleague: 'Tenho de perguntar a um colega. Por favor, aguarde em linha.',
    decide: 'Preciso da sua decisão. Por favor, veja o ecrã.',
    again: 'Lamento, algo correu mal. Pode repetir, por favor?',
  },
  nl: {
    moment: 'Een ogenblik, alstublieft.',
    stillThere: 'Bent u er nog?',
    goodbye: 'Ik hoor u niet, dus ik beëindig het gesprek. Tot ziens.',
    sorry: 'Het spijt me, ik kan u op dit moment niet helpen. Belt u later nog eens. Tot ziens.',
    timeLimit: 'Dit gesprek heeft de maximale duur bereikt. Bedankt voor het bellen. Tot ziens.',
    colleague: 'Ik moet het aan een collega vragen. Blijft u aan de lijn.',
    decide: 'Ik heb uw beslissing nodig. Kijkt u op het scherm.',
    again: 'Het spijt me, er ging iets mis. Kunt u dat herhalen?',
  },
  pl: {
    moment: 'Chwileczkę, proszę.',
    stillThere: 'Czy nadal tam jesteś?',
    goodbye: 'Nic nie słyszę, więc kończę rozmowę. Do widzenia.',
    sorry: 'Przepraszam, w tej chwili nie mogę pomóc. Proszę zadzwonić później. Do widzenia.',
    timeLimit: 'Ta rozmowa osiągnęła maksymalną długość. Dziękuję za telefon. Do widzenia.',
    colleague: 'Muszę zapytać współpracownika. Proszę się nie rozłączać.',
    decide: 'Potrzebuję Twojej decyzji. Proszę spojrzeć na ekran.',
    again: 'Przepraszam, coś poszło nie tak. Proszę powtórzyć.',
  },
  sv: {
    moment: 'Ett ögonblick, tack.',
    stillThere: 'Är du kvar?',
    goodbye: 'Jag hör dig inte, så jag avslutar samtalet. Hej då.',
    sorry: 'Jag är ledsen, jag kan inte hjälpa dig just nu. Ring gärna igen senare. Hej då.',
    timeLimit: 'Samtalet har nått sin maximala längd. Tack för att du ringde. Hej då.',
    colleague: 'Jag måste fråga en kollega. Vänta kvar i telefonen.',
    decide: 'Jag behöver ditt beslut. Titta på skärmen.',
    again: 'Jag är ledsen, något gick fel. Kan du säga det igen?',
  },
  da: {
    moment: 'Et øjeblik, tak.',
    stillThere: 'Er du der stadig?',
    goodbye: 'Jeg kan ikke høre dig, så jeg afslutter opkaldet. Farvel.',
    sorry: 'Beklager, jeg kan ikke hjælpe dig lige nu. Ring gerne igen senere. Farvel.',
    timeLimit: 'Opkaldet har nået sin maksimale længde. Tak for dit opkald. Farvel.',
    colleague: 'Jeg må spørge en kollega. Bliv venligst i røret.',
    decide: 'Jeg har brug for din beslutning. Se på skærmen.',
    again: 'Beklager, noget gik galt. Vil du sige det igen?',
  },
  tr: {
    moment: 'Bir dakika, lütfen.',
    stillThere: 'Hâlâ orada mısınız?',
    goodbye: 'Sizi duyamıyorum, bu yüzden aramayı sonlandırıyorum. Hoşça kalın.',
    sorry: 'Üzgünüm, şu anda size yardımcı olamıyorum. Lütfen daha sonra tekrar arayın. Hoşça kalın.',
    timeLimit: 'Bu arama en uzun süresine ulaştı. Aradığınız için teşekkürler. Hoşça kalın.',
    colleague: 'Bir iş arkadaşıma sormam gerekiyor. Lütfen hatta kalın.',
    decide: 'Kararınıza ihtiyacım var. Lütfen ekrana bakın.',
    again: 'Üzgünüm, bir sorun oluştu. Lütfen tekrar söyleyin.',
  },
  ja: {
    moment: '少々お待ちください。',
    stillThere: 'お聞きになっていますか。',
    goodbye: 'お声が聞こえませんので、お電話を終了いたします。失礼いたします。',
    sorry: '申し訳ございません。ただいまお手伝いできません。後ほどおかけ直しください。失礼いたします。',
    timeLimit: '通話時間の上限に達しました。お電話ありがとうございました。失礼いたします。',
    colleague: '担当者に確認いたします。そのままお待ちください。',
    decide: 'ご判断が必要です。画面をご覧ください。',
    again: '申し訳ございません。問題が発生しました。もう一度お話しください。',
  },
})

/** Falls back to English. */
export const sentencesIn = (language: string): Sentences =>
  BY_LANGUAGE[language.split('-')[0]!.toLowerCase()] ?? ENGLISH
