import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{aa as t,cr as n,ct as r,in as i,oa as a,sn as o,ur as s}from"./start-DDsdBt18.js";var c=`<h2 id="use-the-admin-page">Use the admin page</h2>
<p>Every store has a web page for its staff at <code>/admin</code>: products, orders, customers, settings and imports. The page is an ordinary client of
the REST API. It has the rights of the account or the API key that you sign in with.</p>
<h2 id="sign-in">Sign in</h2>
<table>
<thead>
<tr>
<th>When</th>
<th>Do this</th>
</tr>
</thead>
<tbody><tr>
<td>First start</td>
<td>Open the address that the server prints under “The admin page”. If standard output is not a terminal, the address is in the file with the first keys, in the line <code>sign-in</code></td>
</tr>
<tr>
<td>Later, with access to the server</td>
<td>Run <code>purveyor admin link</code>. It prints a sign-in address</td>
</tr>
<tr>
<td>Later, with an account</td>
<td>Open <code>/admin</code> and enter your e-mail address and your password</td>
</tr>
<tr>
<td>Later, with a key</td>
<td>Open <code>/admin</code>, leave the e-mail address empty and enter one of the store&#39;s API keys. With a read-only key you see everything except the keys and cannot change anything</td>
</tr>
</tbody></table>
<pre tabindex="0"><code>npx purveyor admin link                                                # with the rights of a read/write key
npx purveyor admin link --key NAME                                     # with the rights of this key
docker compose exec store node bin/purveyor.js admin link              # in a container</code></pre>
<p>Run all commands with the server&#39;s settings, because they read <code>DATABASE_URL</code> and <code>BASE_URL</code>. A sign-in address works once, within 10 minutes. Its
token is the part after <code>#</code>. Browsers do not send that part with a page request, so proxies do not log it.</p>
<p>Give each person an account, under <a href="#/help/staff">Staff</a> or with <code>purveyor user create EMAIL --role &quot;Order desk&quot;</code>. Both make an invitation, whose link
opens a form in which the person chooses a password. Roles decide what an account may see and
change. The order history shows the name of the user. If no owner can sign in any more, <code>purveyor user reset EMAIL</code> prints a link for a new
password.</p>
<p>Programs get keys, each its own, so that you can revoke one without the others. When you create a key on the admin page, copy it: the page shows it once. To use it in the API reference at <code>/api</code>, paste it there. The
admin page does not pass it on, because it would remain in the address or in the browser&#39;s storage.</p>
<h3 id="two-step-sign-in">Two-step sign-in</h3>
<p>With two-step sign-in, you enter your password and then a code of an authenticator app on your phone. Someone who knows only your password
cannot sign in.</p>
<ol>
<li>Choose “My account” in the menu with your name, then “Turn on” below “Two-step sign-in”.</li>
<li>Scan the QR code with your app, or type the secret key into it.</li>
<li>Enter the code that the app shows.</li>
<li>Save the ten recovery codes. Each replaces the app once, for example if you lose your phone. The page shows how many are left and creates
new ones.</li>
</ol>
<h3 id="passkeys">Passkeys</h3>
<p>With a passkey, you sign in with the screen lock of your device, or with a security key, instead of a password and a code. Nobody can guess a
passkey, and it works only at the address of your store.</p>
<ol>
<li>Choose “My account” in the menu with your name. Enter a name below “Passkeys”, then choose “Add a passkey”.</li>
<li>Follow the steps of your browser.</li>
<li>In case you lose this device, add a second passkey on another one, or choose “New recovery codes” below “Two-step sign-in” and save the
codes. After your password, you can then enter a code instead of using the passkey. Each code works once.</li>
</ol>
<p>The sign-in page then has “Sign in with a passkey”. If you sign in with your password instead, the page also asks for the passkey or a code.
If you lose a device, delete its passkey under “My account”.</p>
<p>Passkeys need the setting <code>BASE_URL</code> with a host name and HTTPS; for a trial, <code>http://localhost:8080</code> also works. They belong to that host
name: if it changes, everyone has to add a new passkey.</p>
<h3 id="lost-devices-and-steps-that-ask-again">Lost devices, and steps that ask again</h3>
<p>If you have lost your phone and the recovery codes, <code>purveyor user reset EMAIL --drop-second-factor</code> on the server turns two-step sign-in off,
deletes the passkeys and prints a link for a new password. With <code>SECOND_FACTOR=required</code>, everyone with an account has to set up two-step
sign-in or a passkey before anything else.</p>
<p>Some steps need a sign-in within the last 15 minutes: changing API keys, accounts, roles, two-step sign-in or passkeys, and erasing a customer&#39;s
data. If your last sign-in is older, the page asks for your password, a code or a passkey (for the key, if you signed in with a key) and then
completes the step.</p>
<h3 id="sign-in-with-your-organization">Sign-in with your organization</h3>
<p>If the page shows “Sign in with your organization”, you can use your account there instead of a password. Your organization also decides
whether you need a second step. Before the steps above, a window opens in which you sign in there again.
Production describes the setup.</p>
<h3 id="if-you-cannot-sign-in">If you cannot sign in</h3>
<table>
<thead>
<tr>
<th>Message</th>
<th>Cause and fix</th>
</tr>
</thead>
<tbody><tr>
<td>“This sign-in link was already used or has expired”</td>
<td>A sign-in address works once, within 10 minutes: run <code>purveyor admin link</code> again</td>
</tr>
<tr>
<td>“The admin page needs HTTPS”</td>
<td>You use plain HTTP from another machine: use HTTPS. Or your proxy is not in <code>TRUST_PROXY</code>: add it</td>
</tr>
<tr>
<td>“The requesting page has another origin than the store”</td>
<td><code>BASE_URL</code> is not the address in the browser: change it. Or the proxy replaces <code>Host</code>: let it pass <code>Host</code> unchanged</td>
</tr>
<tr>
<td>“The admin page is not built”</td>
<td>The checkout has no <code>admin/dist</code>: run <code>npm run admin:build</code>, then start the server again</td>
</tr>
<tr>
<td>“The e-mail address or the password is wrong, or the account is not active”</td>
<td>An account is active after its first sign-in with the invitation. For a forgotten password, choose “Forgot password?” if the page shows it. Otherwise ask an owner for a link for a new one, or run <code>purveyor user reset EMAIL</code> on the server</td>
</tr>
<tr>
<td>“The code is wrong or was already used”</td>
<td>Each code works once: enter the next one. If all are wrong, set the clock of the phone to automatic</td>
</tr>
<tr>
<td>“This store has no active account for you”</td>
<td>Ask an owner to create an account with the e-mail address that you have in your organization, or to activate it</td>
</tr>
<tr>
<td>“Your organization has not confirmed your e-mail address”</td>
<td>The provider must send the claim <code>email_verified</code> with the value true</td>
</tr>
<tr>
<td>“Too many attempts” (429)</td>
<td>10 wrong passwords or codes for your e-mail address within an hour, by anyone: wait 15 minutes after the last one. Until then, these work: a passkey; <code>purveyor admin link</code> on the server; <code>purveyor user reset EMAIL</code> and, for an account with two-step sign-in, <code>purveyor user reset EMAIL --drop-second-factor</code>. Or too many wrong keys or passwords from your IP address: wait, for an hour at most (rate limits)</td>
</tr>
<tr>
<td>“This link is incomplete”</td>
<td>The link was cut off, often at the end of a line in an e-mail: copy all of it</td>
</tr>
<tr>
<td>“This link was already used, has expired or is damaged”</td>
<td>An invitation works once, within 72 hours, and a link for a new password within 60 minutes. Ask an owner for a new one, or run <code>purveyor user reset EMAIL</code> on the server</td>
</tr>
</tbody></table>
<h3 id="how-long-a-session-lasts">How long a session lasts</h3>
<p>A session ends on all servers of the store at once, in these cases:</p>
<ul>
<li>8 hours after its last use</li>
<li>7 days after it started</li>
<li>its key is revoked or expires, or its user is disabled, deleted or gets a new password</li>
<li>its user turns on two-step sign-in, or adds a passkey as the first second factor, in another browser</li>
<li>the user signs out</li>
<li>the user signs in again in the same browser</li>
<li>its key has more than 50 sessions, or its user more than 20, and this one is the least recently used</li>
</ul>
<h2 id="screens">Screens</h2>
<p>Every screen has a link <em>Help</em>, which opens the section below about it. Three things hold everywhere:</p>
<ul>
<li><strong>Saving</strong> sends only the fields that you changed, with the version that you saw. If someone else changed the record meanwhile, the page
shows both versions side by side, and you choose field by field.</li>
<li><strong>Saved immediately</strong>, without a save button: images, categories, attribute values, variants, stock, tracking numbers and most settings.</li>
<li><strong>Undo</strong>: a change of many products or variants can be undone for 10 minutes, on the screen where you made it. Records that someone else
changed meanwhile keep their new values, and the page names them.</li>
</ul>
<p>Validation errors from the store appear next to the field. The page is in English, German, French and Spanish and follows the browser;
the help and messages that come from the store are in English. Product texts are shown in the store&#39;s default language. Every function works without a
mouse, and everything that you can drag also has buttons. Controls that your key may not use are not shown.</p>
<h3 id="home">Home</h3>
<p>Number, value and units of the orders of the last 7, 30 or 90 days, compared with as many days before; best sellers; orders to ship; low stock;
recent orders and changes; webhooks with problems. All orders count, paid or not, except canceled, declined and refunded ones. Partial
refunds are not subtracted. A new store also sees its first steps: add a product, set the seller, make a key.</p>
<h3 id="products">Products</h3>
<ul>
<li><strong>Find</strong>: search by name, SKU or text; add filters; sort; choose columns. “Save view” saves the filters and the order under a name: for
you, or in this browser if a key is signed in. “Clear filters” shows all products again, and so does “Products” in the menu.</li>
<li><strong>Edit in the list</strong>: price, stock and enabled. Enter and the arrow keys go to the same column of the next row. For a product with
variants, the list shows the sum of their stock, with a link to the variants.</li>
<li><strong>Change many</strong>: select products, or all results. “Change price” takes <code>5%</code>, <code>-5%</code>, <code>+1.50</code>, <code>-2</code> or <code>=9.99</code>, also for variants with a
price of their own. “Edit selected” sets visibility, sale, tags and classes. “Categories” adds products to a category or removes them. A
preview counts what changes before you apply it, and shows the old and the new prices. A deleted product can be
<a href="#/help/activity">restored</a> with a new id, but without its images and variants.</li>
<li><strong>Export as CSV</strong> writes the products that match the filters. The file can be <a href="#/help/import-and-export">imported</a> again.</li>
</ul>
<p></p>
<h3 id="one-product">One product</h3>
<p>The tabs “Basics”, “Texts” and “Stock” have a common save button. “Stock” also adds or removes units, shows the stock of the variants, and
lists the orders that took some.</p>
<p>When the page address of a product changes, “Basics” lists the former ones. The shop redirects from them until you remove them.</p>
<h4 id="variants">Variants</h4>
<p>For example, a T-shirt in three sizes and four colors:</p>
<ol>
<li>Open the tab “Variants”. Enter <code>Size</code> as attribute 1 and <code>S, M, L</code> as its options. A comma or Enter ends an option.</li>
<li>Choose “Add attribute”. Enter <code>Color</code> and its four options.</li>
<li>Change the SKU pattern if you like: <code>{sku}</code> is the SKU of the product, <code>{size}</code> the option of the attribute with that name.</li>
<li>Choose “Make 12 variants”.</li>
</ol>
<p>An attribute of several products with the same name is used; otherwise the product gets an attribute of its own. All variants differ in the
same attributes. Options can be added later.</p>
<p>In the grid, gray numbers come from the product. Type a number to give a variant its own; empty the cell to use the product&#39;s again. Cells
that you copied from a spreadsheet can be pasted. The arrow in a column&#39;s header copies the value of the current row to the rows below.</p>
<h4 id="prices">Prices</h4>
<p>The tab “Prices” has the wholesale prices of the product, with a row for each quantity and a column for everyone and each membership. Type a
price for one unit, or a percentage off such as <code>10%</code>. Empty a cell to remove its price. To add a row, type its quantity into the last row and
press Enter. Gray numbers show what buyers pay today, sales included. A variant can have wholesale prices of its own, which replace those of
the product. A table with quantities in its first column can be pasted into the last row.</p>
<p>Above the grid, the tab shows the price for everyone today, the lowest price of 30 days, which the EU requires next to a reduced price, and
earlier prices. “What a buyer pays today” shows which price a buyer with a membership gets for a quantity.</p>
<h4 id="images">Images</h4>
<p>Drop or paste several images at once, choose files, enter a URL, or choose images of other products from the library. Images can be
described, cropped and sorted; select several to move them together. The first one is marked as the main image. The alternative text is what screen
readers and search engines use.</p>
<h4 id="attachments">Attachments</h4>
<p>Files that the shop offers on the page of the product, such as manuals: choose a file or enter its URL, give it a title, and choose who may
download it: everyone, registered customers or the members of a membership. Title and description have translations. A file is not replaced:
add the new one and delete the old one.</p>
<h4 id="related">Related</h4>
<p>Related products in the order in which the shop shows them. The relation has one direction: add the products to each other if both pages
should show them.</p>
<h4 id="texts">Texts</h4>
<p>Descriptions have a visual editor. It cleans text that is pasted from Word. A text with elements that the editor would remove, such as a
table, opens as HTML source. Languages without texts are marked. A preview shows how a search engine may show the product.</p>
<h4 id="history">History</h4>
<p>Who changed the product, when, and what. “Details” shows each changed field before and after. Categories, orders and customers have the
same list under “History” on their pages.</p>
<p>To undo changes, open the details of the last change that was right, and choose “Restore this version”. The record then gets the values that
it had right after that change. For example, if the list shows a wrong price at the top, open the entry below it. The dialog first
shows which fields will change. The stock remains as it is, because orders have changed it too. Images and other parts do not change either.
A restore is a change of its own, so you can undo it in the same way.</p>
<p>The list needs the right to see the activity, which owners and managers have. Without it, the tab lists the changes of the product since you
opened the page, and polls every five seconds.</p>
<h3 id="orders">Orders</h3>
<ul>
<li><strong>Find</strong>: the search field finds orders by number, e-mail, name and SKU. There are filters for both statuses, date and total, quick
filters, and saved views.</li>
<li><strong>Several orders</strong>: mark as shipped, print documents, export.</li>
</ul>
<h3 id="one-order">One order</h3>
<table>
<thead>
<tr>
<th>Step</th>
<th>What happens</th>
</tr>
</thead>
<tbody><tr>
<td>Mark as paid</td>
<td>records what is still to be paid and sets the status. The page does not move money</td>
</tr>
<tr>
<td>Ship</td>
<td>creates a shipment of the units that you choose, with carrier and tracking number. When everything is shipped, the order gets the status “Shipped”</td>
</tr>
<tr>
<td>Return</td>
<td>takes shipped units back: requested or received; received units go back into stock or are written off</td>
</tr>
<tr>
<td>Refund</td>
<td>records a refund by line and amount. It proposes what the customer paid for the units: the price less discounts, plus taxes. “Back into stock” removes units that were not shipped from the order. It is ticked if the refund has such units. Shipped units go back into stock only with a received return</td>
</tr>
<tr>
<td>Edit items</td>
<td>changes lines, prices, shipping costs, discounts and taxes. The store calculates the new total before you save</td>
</tr>
<tr>
<td>Cancel order</td>
<td>puts the units back into stock</td>
</tr>
<tr>
<td>Change statuses</td>
<td>sets any status</td>
</tr>
</tbody></table>
<p>Each dialog first shows the effects. A step is one request: all of it is saved, or nothing. If someone else changed the order meanwhile,
nothing is saved. Only a refund that also removes units from the order needs two requests: the removal, then the refund. The page first
checks that the store accepts the refund.</p>
<p><strong>Refund or edit?</strong> To pay money back for some units, use “Refund”. These units leave the order with their share of discounts and taxes, so
the order then costs exactly what remains paid. If the customer wants to change the order, use “Edit items”. Then the store calculates the
whole order again: with fewer units, it may no longer reach a volume discount. If an edit changes the total of a paid order, the card
“Payments” shows what is still to be paid or to be paid back, with a button that records it. Units that an edit has removed are listed in
“Refund” as canceled until they are paid back.</p>
<p>A gray button is a step that the order does not allow now. To read the reason, point at the button, tap it, or move to it with the Tab key.</p>
<p>“Invoice” opens the invoice of the order, or creates it if there is none. Set the seller first; the page warns you if it is missing. “Create
another invoice” in the card “Invoices” asks for confirmation. Invoices, credit notes and packing slips open as pages to print. “Print
documents” prints all of them at once. An invoice cannot be changed or deleted; a credit note takes back some units of it, or all. Its
dialog shows the amount first.</p>
<p></p>
<h3 id="create-and-edit-orders">Create and edit orders</h3>
<p>“New order” is for customers on the telephone: choose a customer or enter an e-mail address, search products by name or SKU, and choose
variants and options. The store calculates prices and totals as you type. Enter a price to replace the store&#39;s. The store saves no order
without an e-mail address. An order that is created as “Paid” also gets a payment of its total. If the payment cannot be
recorded, the order exists and awaits payment, and the page says so.</p>
<p>“Calculate discounts and taxes” applies the wholesale prices, discounts and taxes of the store, and the coupons and the VAT ID that you
enter. A coupon that does not apply shows the reason. With a coupon for free shipping, shipping costs count as 0. The order gets exactly the total that the page shows: if a price or a rule changes in
the meantime, the page shows the new total, and you create the order again. The switch is on at first, and the browser remembers it. Switch
it off to enter discounts and taxes yourself. It is missing if your key may not read all discounts and taxes.</p>
<p>“Edit items” calculates such an order again, with the discounts and taxes that it was placed with. Changed quantities change neither the
prices of existing items nor the rules. Shipping or a fee without a name gets the name that the field shows.</p>
<h3 id="carts">Carts</h3>
<p>Carts of shoppers, the last changed first, with customer or e-mail address, units, total and state. Filter by state, or search for a whole
e-mail address. “Details” shows items, coupons, addresses, shipping method, note and when the cart expires, all as of its last change. Only
shoppers change carts. The screen needs the scope <code>carts:read</code>.</p>
<h3 id="customers">Customers</h3>
<p>A new customer needs an e-mail address as login. A name is saved in the customer&#39;s first address. Search by login. Filters: membership requested,
disabled. The page of a customer has the fields, the address book, orders, requested memberships and personal data. Guest orders belong to
no customer: find them by e-mail address under “Guests”. A customer can have a VAT ID, and can be exempt from taxes.</p>
<h3 id="discounts">Discounts</h3>
<table>
<thead>
<tr>
<th>Kind</th>
<th>Effect</th>
</tr>
</thead>
<tbody><tr>
<td>Sale discount</td>
<td>a percentage off the prices of products, for everyone or for members. Buyers get the lowest of all prices that apply</td>
</tr>
<tr>
<td>Volume discount</td>
<td>a percentage or an amount off orders that reach a subtotal. An order gets only the largest one</td>
</tr>
<tr>
<td>Coupon</td>
<td>a discount or free shipping for buyers who enter its code. “Generate” suggests a code</td>
</tr>
</tbody></table>
<p>Restrictions narrow a discount to products, categories, product classes, memberships and zones. Each of them must match. An empty list is no
restriction, but “Only these products” without products matches none.</p>
<p>Days and times are in the store&#39;s time zone. Without a time, the first and the last day count as whole days. Lists show the status: planned,
active, ended or off. A coupon is used up when its number of uses has reached the limit. Canceled and declined orders do not count.
Pricing has the exact rules.</p>
<h3 id="categories">Categories</h3>
<p>Create, change and move categories in the tree: drag them, or press Alt and an arrow key. Set icon and banner. Add products with a search,
and sort them. “Featured products” are those that the shop highlights on the page of the category, also from outside of it. Former page
addresses are listed as for a product. A category that a discount needs is not deleted; the page links the discounts.</p>
<h3 id="featured-products">Featured products</h3>
<p>“Front page” sorts the products that the shop highlights on its front page.</p>
<h3 id="reviews">Reviews</h3>
<p>The reviews of all products, the newest first. Approve those that the shop may show, reply to them, or delete them. The reply is public. Your
shop sends the reviews through the API.</p>
<h3 id="taxes">Taxes</h3>
<p>A store without tax rates shows a short set-up. Choose the country, enter the rate, and say whether your prices include it. “Set up taxes”
creates a zone, a tax rate and the tax settings, for example “Prices include VAT 19% in Germany”. You can change all of them later.</p>
<p>A buyer pays each rate whose zone, tax class and membership match. Rates with the same code are alternatives: an item pays only one of them,
the one with the lowest position. For a reduced rate, create a tax class under “Settings” and choose it for the products. Then add a rate
with this tax class and the code of the normal rate. A rate with dates begins and ends automatically.</p>
<h4 id="zones">Zones</h4>
<p>A zone is a group of addresses. It consists of areas: countries, or states, postal codes and cities of one country. A postal code is written
as a code (<code>78701</code>), a beginning (<code>787*</code>) or a range (<code>75000-79999</code>). “Add the European Union” adds all member states. A zone that is in use
cannot be deleted; the page then links to the records that use it. A zone is in use if a tax rate or the tax settings name it, or if it is
the only zone of a discount.</p>
<h4 id="tax-settings">Tax settings</h4>
<p>The settings determine whether prices include taxes, and those of which zone. They also determine what buyers with other rates pay, whether
the shipping or the billing address counts, how shipping is taxed, and how taxes are rounded. To exempt businesses in other member states of
the European Union, create a zone with these states, and choose it as “No tax for businesses in”.</p>
<h4 id="price-tester">Price tester</h4>
<p>Choose a product, a quantity, a buyer and an address. The tester shows the price, the discounts, the taxes, and the prices for larger
quantities. Below “Why”, it lists each rule that was considered and the reason why it is used or not. The tester changes no data.</p>
<h3 id="shipping">Shipping</h3>
<p>A shipping method is what buyers choose at checkout, for example “Standard delivery” or “Collect from our shop”. In “New shipping method”,
enter its name, delivery time and handling fee, and the order total from which shipping is free. Buyers see the enabled methods in the order
of the list.</p>
<p>A method needs at least one rate. A rate says what the method costs in a <a href="#/help/zones">zone</a>, for all orders or for a range of weight, total or
number of items. Its price is the sum of up to four parts: an amount for the order, a percentage of the total, and amounts for each item and
each unit of weight. Two rates of a zone must not overlap, because an order must have only one price. One may begin where the other ends. If a new rate
overlaps another one, the page names it.</p>
<p>“Orders without a rate” lists the orders that your rates do not cover, for example “No rate for orders to Germany over 5 kg”. Buyers cannot
choose the method
for such an order. The tax class of the method determines the tax on the shipping charge.</p>
<h3 id="e-mails">E-mails</h3>
<p>“Sent e-mails” lists the e-mails of the last 30 days with recipient, status and number of attempts. If an e-mail cannot be sent, the store
tries again for 72 hours. Then it has failed, and “Retry” sends it again. The list never shows the content of an e-mail, because it may
contain a link to sign in. The server sends e-mails only if <code>MAIL_VIA</code> is set.</p>
<p>“Texts” lists each e-mail in each language. “Edit” changes the subject, the plain text and the HTML. Words in double braces, such as
<code>{{name}}</code>, are
replaced when the e-mail is sent; the dialog lists them. “Preview” shows the saved text with example values. “Reset” uses the built-in
text again.</p>
<h3 id="import-and-export">Import and export</h3>
<p>See <a href="#/help/import-products">Import products</a> below. Collections can be downloaded as JSON Lines, like <code>purveyor export</code>.</p>
<h3 id="staff">Staff</h3>
<p>This screen needs the right to manage people or roles, which owners have.</p>
<ul>
<li><strong>Invite</strong>: enter name and e-mail address and choose one or several roles. The page shows a link once. Send it to the person, for example
by e-mail. It works once, within 72 hours. “New invitation” on the page of the person makes another one and cancels the previous one.
If the store sends e-mails, “Send the invitation by e-mail” sends the link to the person instead. The page of the person has buttons for
this, too.</li>
<li><strong>Change</strong>: the name of a person opens a page with details and roles. A change of roles applies at once, also where the person is signed
in.</li>
<li><strong>Forgotten password</strong>: “Link for a new password” makes a link that works once, within 60 minutes. When it is used, all sessions of the
person end.</li>
<li><strong>Disable</strong> ends all sessions of a person, who can no longer sign in until you choose “Enable”. “Delete” removes the account. One active
owner must remain.</li>
<li><strong>Signed in on</strong> lists the browsers in which the person is signed in. “End” signs the person out there.</li>
</ul>
<p>You can only give rights that you have, and change people who have no more rights than you.</p>
<h4 id="roles">Roles</h4>
<table>
<thead>
<tr>
<th>Role</th>
<th>For</th>
</tr>
</thead>
<tbody><tr>
<td>Owner</td>
<td>everything, including staff, API keys and the erasure of personal data</td>
</tr>
<tr>
<td>Manager</td>
<td>everything except staff, API keys and the erasure of personal data</td>
</tr>
<tr>
<td>Catalog editor</td>
<td>products and categories; no orders and no customers</td>
</tr>
<tr>
<td>Order desk</td>
<td>orders and customers, without refunds; does not see cost prices</td>
</tr>
<tr>
<td>Analyst</td>
<td>sees and exports products and orders, and sees statistics; no personal data and no cost prices</td>
</tr>
</tbody></table>
<p>These five are part of every store. “New role” creates others: choose the rights in each row, and under “Hidden fields” what people with the
role do not see. A person with several roles may do what one of them allows. A field is hidden if every role that could show it hides it. A
role that someone has cannot be deleted; the page then names the people.</p>
<h3 id="activity">Activity</h3>
<p>Who did what in the store (examples), newest first: changes, sign-ins and exports, by people, programs with an API key, imports and the server itself.
“Details” shows the values before and after, and the IP address. A failed sign-in has “Nobody signed in”
under “Who”; its sentence names the account, if there is one with this e-mail address. You can filter by person or key, action, kind of record, and day. A name links to the record if
it still exists. “Restore” in the details of a deletion creates the record again, with a new id. The dialog then lists what could not be
restored, such as the images and variants of a product.</p>
<p>Passwords and secrets are never recorded, only that they changed. If the personal data of a customer are erased, they are also erased here.
Entries are deleted after a year, unless <code>AUDIT_KEEP_DAYS</code> says otherwise (configuration).</p>
<p>This screen needs the right to see the activity, which owners and managers have. Records and fields that you may not see are absent.</p>
<h3 id="my-account">My account</h3>
<p>In the menu under your name: your name, the language of this page, your password, and the browsers in which you are signed in. A new
password, or “End all other sessions”, signs you out everywhere else. If you sign in with an API key, you have no account.</p>
<h3 id="settings">Settings</h3>
<p>Keys, languages, tax classes, memberships, product classes, tags and the names of statuses. Give each program a key of its own. A scoped key
may do only what you choose. Under “Hidden fields”, choose what it does not see, such as the cost price or all personal data.</p>
<h4 id="api-keys">API keys</h4>
<p>“New key” creates a key for a program, with only the rights that it needs. The page shows the key once. A publishable key is different. It is part of
your shop&#39;s pages and apps, where everyone can read it. It is therefore not secret, and the list shows it. It gives access only to the
public catalog, and lets customers log in and use their own accounts. Enter the addresses of the pages that use it. You cannot change them
later.</p>
<h4 id="store-settings">Store settings</h4>
<p>Seller, tax number, address, logo, and the texts on invoices and in e-mails. New invoices copy the seller and the tax number; printing uses
the current logo and texts. An emptied field returns to the setting of the server. Currency, time zone and units can be changed only on the
server.</p>
<h4 id="attributes">Attributes</h4>
<p>Attributes of all products, or of the products of a class. An attribute that only one product has is created on the page of that product.
You cannot change an attribute&#39;s kind and scope later. If you delete an attribute or option that distinguishes variants, the store rejects
this and names the variants. Names and options are written in the store&#39;s default language.</p>
<h4 id="product-tabs">Product tabs</h4>
<p>Tabs that the shop shows on the page of every product, for example about shipping. Their texts have translations.</p>
<h4 id="webhooks">Webhooks</h4>
<p>“New webhook” takes an address and the events that it receives: all events of orders, for example, or only single ones. The store rejects
addresses in private networks. It shows the secret that verifies the signatures once. “Deliveries” lists the latest attempts.</p>
<p>A webhook sends what its owner can see: the API key or the person that created it, or that last changed its address or events. If that key
is revoked or the person is disabled, the webhook pauses and says so. “Resume” makes you the owner.</p>
<h2 id="export-or-erase-a-customers-data">Export or erase a customer&#39;s data</h2>
<p>The screen of a customer has two buttons under “Privacy”. “Download all data” saves everything that the store has about the person as a JSON
file. “Erase the person” first opens a dialog with the number of records that will be deleted, emptied and retained. Afterwards the dialog
shows the result. An erasure cannot be undone; privacy.md describes it.</p>
<p>Orders placed without a login belong to no customer. To find them, open “Guests” above the customer list and enter the e-mail address. You
get the same two buttons. This needs a read/write key, because the page sends the address in a POST request.</p>
<h2 id="import-products">Import products</h2>
<p>To change many products in a spreadsheet:</p>
<ol>
<li>Open “Import / export” and choose “Export CSV”.</li>
<li>Change the file in a spreadsheet program, and save it as CSV. You may delete columns and rows that you do not need; keep <code>sku</code>.</li>
<li>Drop the file on the page, or choose it. The page shows how many rows change, the old and the new value of each changed field, and why
rows cannot be imported. It warns if the import would change stock or remove images.</li>
<li>“Columns to import” lists the columns of the file. Deselect those that you do not want to import, such as “Stock” if the shop has sold
since the export. The preview then runs again.</li>
<li>Choose “Import”. The report names each row that failed, with its number in the file and the field.</li>
</ol>
<p>Import has the rules of the file.</p>
<p></p>
<p>To move a shop, choose the product export of Shopify or
WooCommerce instead. The page reads the file in the browser and detects the format. “Preview” shows
row by row what an import would do and writes no data; a read-only key is enough. The store downloads the images. Weights are converted to
the store&#39;s unit.</p>
<p>During an import, a progress bar counts what is done. Leave the page open until the import is done; it asks before you leave. “Stop” ends
the import after the current product. Import the file again to continue: rows that are already stored do not change, and failed images are
tried again.</p>
<p>The page runs the same code as the commands. The report is in English. <code>--categories-from</code> and imports of orders, JSON Lines files and other
stores are available only as commands.</p>
<h2 id="security">Security</h2>
<ul>
<li>The key is sent once, on sign-in. After that the browser holds a cookie that scripts cannot read. The store saves only hashes of sessions
and tokens, and does not log them.</li>
<li>The cookie is valid only for requests from the store&#39;s own page. Requests triggered by another site, another port or a subdomain get 403.</li>
<li>Over plain HTTP the page works only on the server&#39;s own machine. From other machines it needs HTTPS. Behind a proxy, set <code>TRUST_PROXY</code> and
have the proxy send <code>X-Forwarded-Proto</code>, as the proxy configurations do.</li>
<li><code>ADMIN_PLAIN_HTTP=1</code> allows plain HTTP from other machines. Use it only in a network where others cannot read the traffic.</li>
<li>The page runs only its own scripts, loads only the store&#39;s images from other hosts, and cannot be embedded in another page.</li>
<li><code>ADMIN=off</code> removes the page and its sessions. The API does not change.</li>
</ul>
<p>http.md §20 has the rules for programs.</p>
<p>Measurements are in performance.md.</p>
`,l=e(a(),1),u=t();function d(){let{section:e=``}=i(),t=o(),a=(0,l.useRef)(null);return(0,l.useEffect)(()=>{let t=e===``?null:a.current?.querySelector(`#${CSS.escape(e)}`);t&&(t.tabIndex=-1,t.focus({preventScroll:!0}),t.scrollIntoView())},[e]),(0,u.jsxs)(u.Fragment,{children:[(0,u.jsx)(r,{title:t(`menu.help`)}),(0,u.jsx)(n,{variant:`outlined`,sx:{mt:1,p:{xs:2,sm:3}},children:(0,u.jsx)(s,{ref:a,lang:`en`,sx:f,dangerouslySetInnerHTML:{__html:c}})})]})}var f={maxWidth:`80ch`,overflowWrap:`anywhere`,"& h2, & h3":{scrollMarginTop:64,"&:focus":{outline:`none`}},"& h3":{mt:3,mb:1},"& p, & li":{lineHeight:1.6},"& table":{borderCollapse:`collapse`,width:`100%`,my:2},"& th, & td":{textAlign:`left`,overflowWrap:`break-word`,verticalAlign:`top`,p:1,borderBottom:1,borderColor:`divider`},"& code":{fontSize:`0.95em`},"& pre":{overflowX:`auto`,p:1.5,bgcolor:`action.hover`,borderRadius:1}};export{d as default};