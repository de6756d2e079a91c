import { useSignal } from '@preact/signals';
import type { CreateWebhookParameters } from '@steward/client';
import { farm } from '../../farm/farms.ts';
import { Boxes } from '../../parts/boxes.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { useDeed } from '../../parts/deed.ts';
import { Box, Choice, Field } from '../../parts/field.tsx';
import { showSecret } from '../../parts/secret.tsx';
import { emptying } from '../../parts/typed.ts';
import { webhookWords as says } from '../../words.ts';

type Template = NonNullable<CreateWebhookParameters['template']>;

const topics = Object.keys(says.topicMeans) as (keyof typeof says.topicMeans)[];

/** A channel or a program that is told of what happens from now on. */
export function MakeWebhook() {
  const store = farm.value;
  const name = useSignal('');
  const url = useSignal('');
  const template = useSignal<Template>('discord');
  const chosen = useSignal<readonly string[]>(['players', 'invites', 'server']);
  const identities = useSignal(false);
  const isTried = useSignal(false);
  const { isUnderWay, start } = useDeed();
  const given = { name: name.value.trim(), url: url.value.trim() };
  const wrong = {
    name: given.name === '' ? says.noName : undefined,
    url: URL.canParse(given.url) && /^https?:/.test(given.url) ? undefined : says.noUrl,
    topics: chosen.value.length === 0 ? says.noTopic : undefined,
  };
  const make = (event: Event) => {
    event.preventDefault();
    isTried.value = true;
    if (Object.values(wrong).some((each) => each !== undefined)) return;
    const sent = [emptying(name, ''), emptying(url, '')];
    void start({
      run: (options) =>
        store.client.createWebhook(
          {
            ...given,
            template: template.value,
            topics: chosen.value.join(','),
            identities: identities.value,
          },
          options,
        ),
      onDone: (answer) => {
        showSecret(says.secret(given.name), says.secretText, says.secretLost, answer);
        for (const empty of sent) empty();
        isTried.value = false;
        store.makeOld('listWebhooks');
      },
    });
  };
  return (
    <Card title={says.make} icon="sprout">
      <form onSubmit={make} noValidate>
        <div class="columns">
          <Field
            label={says.name}
            hint={says.nameHint}
            value={name.value}
            error={isTried.value ? wrong.name : undefined}
            onValue={(value) => {
              name.value = value;
            }}
            more={{ autocomplete: 'off', maxLength: 64 }}
          />
          <Choice
            label={says.template}
            hint={says.templates[template.value]}
            value={template.value}
            options={Object.keys(says.templates).map((each) => [each, each])}
            onValue={(value) => {
              template.value = value as Template;
            }}
          />
        </div>
        <Field
          label={says.url}
          hint={says.urlHint}
          value={url.value}
          error={isTried.value ? wrong.url : undefined}
          onValue={(value) => {
            url.value = value;
          }}
          more={{ autocomplete: 'off', spellcheck: false, inputMode: 'url' }}
        />
        <Boxes
          legend={says.topics}
          options={topics.map((topic) => [topic, says.topicMeans[topic]])}
          chosen={chosen.value}
          error={isTried.value ? wrong.topics : undefined}
          onChange={(value) => {
            chosen.value = value;
          }}
        />
        <Box
          label={says.identities}
          hint={says.identitiesHint}
          isOn={identities.value}
          onChange={(isOn) => {
            identities.value = isOn;
          }}
        />
        <Button kind="main" type="submit" icon="bell" isBusy={isUnderWay.value}>
          {says.make}
        </Button>
      </form>
    </Card>
  );
}
