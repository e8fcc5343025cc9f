CREATE SCHEMA IF NOT EXISTS shop;
CREATE TABLE shop.customers (id INTEGER, region VARCHAR, segment VARCHAR, ltv DECIMAL(10,2));
CREATE TABLE shop.orders (id INTEGER, customer_id INTEGER, status VARCHAR, amount DECIMAL(10,2), ordered_at DATE);
CREATE TABLE shop.order_items (id INTEGER, order_id INTEGER, sku VARCHAR, qty INTEGER, price DECIMAL(10,2));
CREATE TABLE shop.returns (id INTEGER, customer_id INTEGER, amount DECIMAL(10,2));
CREATE TABLE shop.payments (id INTEGER, order_id INTEGER, method VARCHAR);
CREATE TABLE shop.accounts (account_id INTEGER, customer_id INTEGER, report_date DATE, balance DECIMAL(12,2));
