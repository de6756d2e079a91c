export const visitorNames = [
  'Abigail',
  'Sam',
  'Shane',
  'Leah',
  'Maru',
  'Elliott',
  'Penny',
  'Harvey',
  'Emily',
  'Alex',
  'Haley',
  'Sebastian',
  'Robin',
  'Linus',
  'Marnie',
  'Clint',
  'Evelyn',
  'Willy',
  'Jodi',
  'Gus',
] as const;

export const greetings = ['Good morning, everyone', 'Hello!', 'Hi all, what shall we do today?'] as const;

export const farewells = ['I have to go, see you', 'Good night!', 'Bye, it was fun'] as const;

export const smallTalk = [
  'Does anyone have a spare parsnip?',
  'I am off to the mines',
  'The fish are biting today',
  'Can somebody water the strawberries?',
  'Rain tomorrow, says the television',
  'The bus is still broken',
  '!info',
  'Who took the copper bars?',
  'Look at this cow',
] as const;
